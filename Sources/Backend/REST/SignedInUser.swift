import Contract
import HTTP1
import HTTPServer
import Postgres

/// Who sent a request, by the token in it.
struct SignedInUser: Sendable {
    let id: UUID
    let name: String
    let timeZone: String
    /// Tickets are made under it.
    let tokenVersion: Int32
    let createdAt: Timestamp

    var user: User { User(id: id, name: name, timeZone: timeZone, createdAt: createdAt) }

    private static let byToken = """
        SELECT id, name, time_zone, token_version, created_at FROM users WHERE token_hash = $1
        """

    /// Throws a 401 for a request without a valid token.
    static func read(_ request: HTTPRequest, from database: PostgresPool) async throws -> SignedInUser {
        let values = request.head.headers.all("Authorization")
        if values.isEmpty {
            throw Refused(
                .unauthenticated, "Send Authorization: Bearer followed by your token.",
                headers: ["WWW-Authenticate": challenge])
        }
        guard values.count == 1, let token = bearer(values[0]),
            let user = try await find(token, in: database)
        else {
            throw Refused(
                .unauthenticated, "This token is not valid, or no longer. Sign in with the latest one.",
                headers: ["WWW-Authenticate": refusedChallenge])
        }
        return user
    }

    /// Nil where no account has the token.
    static func find(_ token: APIToken, in database: PostgresPool) async throws -> SignedInUser? {
        guard let row = try await database.query(byToken, [token.hash], retrying: true).first else {
            return nil
        }
        let (id, name, timeZone, tokenVersion, createdAt) = try row.decode(
            UUID.self, String.self, String.self, Int32.self, Timestamp.self)
        return SignedInUser(
            id: id, name: name, timeZone: timeZone, tokenVersion: tokenVersion, createdAt: createdAt)
    }

    static let challenge = "Bearer realm=\"letsswitch\""
    /// For a token that came and is no good.
    static let refusedChallenge = challenge + ", error=\"invalid_token\""

    /// RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1).
    private static func bearer(_ value: String) -> APIToken? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return APIToken(parts[1].drop { $0 == " " })
    }
}
