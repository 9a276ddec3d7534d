/// The version numbers, each in its one place.
public enum Version {
    /// The product: server, command line client and library are released together (Semantic Versioning
    /// 2.0.0).
    public static let product = "0.1.0"
    /// The interface over HTTP and WebSocket, which `/openapi.json` describes. Clients of one major version
    /// work with every server of it.
    public static let api = "1.0.0"
}
