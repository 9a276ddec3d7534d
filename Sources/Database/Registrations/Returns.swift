import Contract
import Postgres

/// The rule for accounts that leave an open slot: they may come back to it once, and after that by an invite
/// alone. Each coming and going is told to the partners.
enum Returns {
    /// The number of cancellations since the opening of a slot from which it is closed for an account.
    static let cancellations: Int64 = 2

    /// Rows are compared, and limited, for the reason that `RegistrationWriter.takenSlots` has.
    private static let leftTwice = """
        SELECT asked.user_id, asked.starts_at
        FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[])
            AS asked (user_id, starts_at, opened_at)
        CROSS JOIN LATERAL (
            SELECT count(*) AS times
            FROM (
                SELECT FROM registrations AS own
                WHERE (own.user_id, own.starts_at) >= (asked.user_id, asked.starts_at)
                    AND (own.user_id, own.starts_at) <= (asked.user_id, asked.starts_at)
                    AND own.cancelled_at >= asked.opened_at
                ORDER BY own.user_id, own.starts_at
                LIMIT $4
            ) AS own
        ) AS gone
        WHERE times >= $4
        """

    /// Returns the requests for open slots that their users have left too often, by their index. Nothing is
    /// asked if no slot is open.
    static func refused(
        _ requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Int: RegistrationWriter.Decision] {
        var asked: [(user: Identifier, startsAt: Timestamp, openedAt: Timestamp)] = []
        for request in requests where request.intent?.invite == nil {
            for slot in request.slots {
                if let openedAt = slot.openedAt { asked.append((request.user, slot.startsAt, openedAt)) }
            }
        }
        if asked.isEmpty { return [:] }
        var closed: [Identifier: Set<Timestamp>] = [:]
        let parameters: [any PostgresEncodable] = [
            asked.map(\.user), asked.map(\.startsAt), asked.map(\.openedAt), cancellations,
        ]
        for row in try await connection.query(leftTwice, parameters) {
            let (user, startsAt) = try row.decode(Identifier.self, Timestamp.self)
            closed[user, default: []].insert(startsAt)
        }
        var refused: [Int: RegistrationWriter.Decision] = [:]
        for (index, request) in requests.enumerated() where request.intent?.invite == nil {
            let positions = request.slots.indices.filter { position in
                closed[request.user]?.contains(request.slots[position].startsAt) == true
            }
            if !positions.isEmpty { refused[index] = .settled(.leftTwice(Array(positions))) }
        }
        return refused
    }
}
