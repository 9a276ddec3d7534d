import Crypto
import Database
package import Postgres

/// The key that signs what servers say to each other.
package struct PeerKey: Sendable {
    private let key: HMACKey

    /// Creates a key of the operator's text. It signs nothing that another key of the same text does.
    package init(_ text: String) { key = HMACKey(Digest.sha256(Array("cluster \(text)".utf8))) }

    private init(stored: [UInt8]) { key = HMACKey(stored) }

    /// Returns the operator's key, or else the one that is made once and kept in the database.
    package static func read(_ text: String?, from pool: PostgresPool) async throws(PostgresError) -> PeerKey
    {
        if let text { return PeerKey(text) }
        return PeerKey(stored: try await StoredSecret.read("cluster-key", orKeep: .random(32), in: pool))
    }

    func sign(_ bytes: [UInt8]) -> [UInt8] { key.authenticate(bytes) }

    func hasSigned(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
        key.isCode(signature, of: bytes)
    }
}
