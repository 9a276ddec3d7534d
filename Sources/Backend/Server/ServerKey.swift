import Crypto
import Database
import Postgres

/// A key that all servers have: the operator's, or else one that is made once and kept in the database.
enum ServerKey {
    /// Returns the key that signs tickets or the audit log. `setting` is the operator's.
    static func read(
        _ setting: String?, orKept name: String, in pool: PostgresPool
    ) async throws -> [UInt8] {
        if let setting { return Digest.sha256(Array(setting.utf8)) }
        return try await StoredSecret.read(name, orKeep: .random(32), in: pool)
    }
}
