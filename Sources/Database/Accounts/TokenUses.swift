import Contract
package import Postgres
import Reactor

/// The tokens and sessions that were used lately. Once a minute their last use is stored, for all of them
/// together. A session that is used lasts longer by that.
package final class TokenUses: Sendable {
    private struct Token: Hashable {
        let user: Identifier
        let number: Int32
    }

    /// The interval at which uses are stored.
    private static let interval = Duration.seconds(60)
    /// The most tokens that are noted in an interval. Others are noted in a later one.
    private static let maximum = 10_000
    private static let chunk = 1000

    /// Rows that are locked are left out: they are about to change, or another server stores the same.
    private static let store = """
        WITH used AS MATERIALIZED (
            SELECT tokens.user_id, tokens.number
            FROM unnest($1::uuid[], $2::int4[]) AS noted (user_id, number)
            JOIN tokens USING (user_id, number)
            WHERE (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
                AND (expires_at IS NULL OR expires_at > now())
            FOR UPDATE OF tokens SKIP LOCKED
        )
        UPDATE tokens SET last_used_at = now(),
            expires_at = CASE
                WHEN made_by IS NULL OR expires_at > now() + interval '29 days' THEN expires_at
                ELSE (
                    SELECT least(now() + interval '30 days', maker.expires_at) FROM tokens AS maker
                    WHERE maker.user_id = tokens.user_id AND maker.number = tokens.made_by)
                END
        FROM used
        WHERE tokens.user_id = used.user_id AND tokens.number = used.number
        """

    /// Removes what has expired, some at a time.
    private static let forget = """
        DELETE FROM tokens WHERE (user_id, number) IN (
            SELECT user_id, number FROM tokens WHERE expires_at < now() - interval '1 day'
            ORDER BY expires_at
            LIMIT 1000
            FOR UPDATE SKIP LOCKED)
        """

    private let noted = Lock<Set<Token>>([])

    package init() {}

    /// Notes that the token of the user was used.
    package func note(_ user: SignedInUser) {
        noted.withLock { noted in
            if noted.count < Self.maximum {
                noted.insert(Token(user: user.id, number: user.tokenVersion))
            }
        }
    }

    /// Stores what was noted until the task is cancelled.
    package func run(in pool: PostgresPool) async {
        await WakeSignal().run(
            on: pool.loop, every: Self.interval, "storing the last uses of tokens failed; retrying"
        ) { try await store(in: pool) }
    }

    /// Ends the endpoints of expired sessions, and removes tokens and sessions that expired more than a day
    /// ago.
    package func forgetExpired(in pool: PostgresPool) async throws {
        try await EndedSessions.endEndpoints(in: pool)
        try await pool.query(Self.forget)
    }

    /// Stores what was noted since the last time. A use that cannot be stored is forgotten.
    package func store(in pool: PostgresPool) async throws(PostgresError) {
        let tokens = noted.withLock { noted in
            defer { noted = [] }
            return Array(noted)
        }
        for start in stride(from: 0, to: tokens.count, by: Self.chunk) {
            let part = tokens[start..<min(start + Self.chunk, tokens.count)]
            try await pool.query(Self.store, [part.map(\.user), part.map(\.number)])
        }
    }
}
