import Contract
import Crypto
import Postgres

/// Makes endpoints, removes them, and changes their secrets.
struct EndpointWriter: Sendable {
    /// How long messages are signed with both keys while a secret is replaced.
    static let overlap = Duration.seconds(24 * 3600)

    let database: PostgresPool

    private static let lock = "SELECT FROM users WHERE id = $1 FOR UPDATE"

    private static let count = "SELECT count(*) FROM endpoints WHERE user_id = $1"

    private static let insert = """
        INSERT INTO endpoints (
            id, user_id, kind, address, host, types, environment, p256dh, auth, secret, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (user_id, kind, address) DO NOTHING
        """

    private static let remove = "DELETE FROM endpoints WHERE id = $1 AND user_id = $2"

    private static let rotate = """
        UPDATE endpoints SET previous_secret = secret, previous_until = $4, secret = $3
        WHERE id = $1 AND user_id = $2 AND kind = 'webhook'
        """

    func insert(_ new: CheckedEndpoint, of user: SignedInUser) async throws {
        let endpoint = new.endpoint
        let values: [any PostgresEncodable] = [
            endpoint.id, user.id, endpoint.kind.rawValue, new.address, new.host, endpoint.types,
            endpoint.environment?.rawValue, new.publicKey, new.auth, new.secret?.bytes, endpoint.createdAt,
        ]
        try await database.transaction(attempts: 3) { connection in
            // One after the other, so that the limit holds.
            try await connection.query(Self.lock, [user.id])
            let count = try await connection.query(Self.count, [user.id]).first?.decode(0, Int64.self) ?? 0
            guard count < Limits.endpoints else {
                throw Refused(
                    .limitReached,
                    "You have \(count) endpoints, which is as many as you may have. Remove one first.")
            }
            guard try await connection.execute(Self.insert, values) == 1 else {
                throw Refused(.conflict, "You have this endpoint already. Remove it first to add it again.")
            }
        }
    }

    /// False where there is none, or it is somebody else's.
    func remove(_ id: UUID, of user: SignedInUser) async throws -> Bool {
        try await database.execute(Self.remove, [id, user.id]) == 1
    }

    /// Nil where there is no such webhook.
    func rotate(_ id: UUID, of user: SignedInUser, at now: Timestamp) async throws -> EndpointSecret? {
        let secret = WebhookSecret.make()
        let until = now.adding(Self.overlap)
        let count = try await database.execute(Self.rotate, [id, user.id, secret.bytes, until])
        return count == 1 ? EndpointSecret(secret: secret.text, previousUntil: until) : nil
    }
}
