import Crypto
import Database
import Postgres
import Settings

/// The key that signs the audit log: the operator's, or else one that is made once and kept in the database.
enum AuditKey {
    static func read(_ configuration: ServerConfiguration, from pool: PostgresPool) async throws -> [UInt8] {
        if let key = configuration.auditKey { return Digest.sha256(Array(key.utf8)) }
        var random = SystemRandomNumberGenerator()
        return try await StoredSecret.read(
            "audit-key", orKeep: (0..<32).map { _ in random.next() }, in: pool)
    }
}
