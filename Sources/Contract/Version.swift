import CBuild

/// The version numbers, each defined in one place.
public enum Version {
    /// The version of the product: server, command line client and library are released together (Semantic
    /// Versioning 2.0.0).
    public static let product = "0.2.0"
    /// The version of the product with the commit that the program was built from, as the metadata of the
    /// build (Semantic Versioning 2.0.0 §10): `0.2.0+20b36f4f`. A build for development has no commit.
    public static let build = {
        let commit = String(cString: letsswitch_commit())
        return commit.isEmpty ? product : "\(product)+\(commit)"
    }()
    /// The version of the interface over HTTP and WebSocket, which `/openapi.json` describes. Clients of one
    /// major version work with every server of it.
    public static let api = "1.0.0"
}
