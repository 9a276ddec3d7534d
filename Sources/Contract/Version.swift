/// The version numbers, each defined in one place.
public enum Version {
    /// The version of the product: server, command line client and library are released together (Semantic
    /// Versioning 2.0.0).
    public static let product = "0.1.0"
    /// The version of the interface over HTTP and WebSocket, which `/openapi.json` describes. Clients of one
    /// major version work with every server of it.
    public static let api = "1.0.0"
}
