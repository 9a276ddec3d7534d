import Contract
import Postgres

/// The statements that insert slots and registrations, and count them for their accounts.
struct RegistrationInsertion: Sendable {
    /// The day for which registrations are counted; nil if there is no limit by the day.
    let day: LocalDate?

    /// Inserts slots in the order of the keys, so that two writers never wait for each other.
    private static let insertSlots = """
        INSERT INTO slots (starts_at, ends_at)
        SELECT starts_at, ends_at FROM unnest($1::timestamptz[], $2::timestamptz[])
            AS slot (starts_at, ends_at)
        ORDER BY starts_at
        ON CONFLICT DO NOTHING
        """

    static let insertRegistrations = """
        INSERT INTO registrations (id, user_id, starts_at, task, tag, adjusted, created_at, updated_at)
        SELECT id, user_id, starts_at, task, tag, adjusted, created_at, created_at
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
            $7::timestamptz[]) WITH ORDINALITY
            AS new (id, user_id, starts_at, task, tag, adjusted, created_at, position)
        ORDER BY user_id, starts_at, position
        ON CONFLICT (user_id, starts_at) WHERE cancelled_at IS NULL DO NOTHING
        RETURNING id
        """

    /// As above, and counts what was inserted. The users are held, so no two writers meet at a count.
    private static let insertCounted = """
        WITH stored AS (\(insertRegistrations), user_id), counted AS (
            INSERT INTO registrations_made (user_id, day, made)
            SELECT user_id, $8::date, count(*) FROM stored GROUP BY user_id
            ON CONFLICT (user_id) DO UPDATE SET
                day = greatest(registrations_made.day, excluded.day),
                made = CASE WHEN registrations_made.day < excluded.day THEN excluded.made
                    ELSE registrations_made.made + excluded.made END
        )
        SELECT id FROM stored
        """

    /// Takes cancelled registrations back. What was removed meanwhile is left to the insertion.
    private static let revive = """
        UPDATE registrations SET cancelled_at = NULL, updated_at = new.updated_at, task = new.task,
            tag = new.tag
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[])
            AS new (id, user_id, updated_at, task, tag)
        WHERE registrations.id = new.id AND registrations.user_id = new.user_id AND cancelled_at IS NOT NULL
        RETURNING registrations.id
        """

    private static let delete = "DELETE FROM registrations WHERE id = ANY($1)"

    private static let deleteCounted = """
        WITH gone AS (\(delete) RETURNING user_id)
        UPDATE registrations_made SET made = greatest(0, made - number)
        FROM (SELECT user_id, count(*) AS number FROM gone GROUP BY user_id) AS gone
        WHERE registrations_made.user_id = gone.user_id
        """

    static let preparedStatements: Set = [insertSlots, insertRegistrations, insertCounted]

    /// The statement that inserts the slots of the requests.
    func ofSlots(_ requests: [RegistrationRequest]) -> PostgresConnection.PipelinedStatement {
        var ends: [Timestamp: Timestamp] = [:]
        for slot in requests.flatMap(\.slots) { ends[slot.startsAt] = slot.endsAt }
        let slots = ends.sorted { $0.key < $1.key }
        return (Self.insertSlots, [slots.map(\.key), slots.map(\.value)])
    }

    /// Takes the registrations of requests back that revive some. Returns their ids.
    func revive(
        _ requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Identifier] {
        let rows = requests.filter(\.revives).flatMap { request in request.slots.map { (request, $0.id) } }
        if rows.isEmpty { return [] }
        let parameters: [any PostgresEncodable] = [
            rows.map(\.1), rows.map(\.0.user), rows.map(\.0.createdAt), rows.map(\.0.task), rows.map(\.0.tag),
        ]
        return try await connection.query(Self.revive, parameters).column()
    }

    /// The statement that inserts the registrations, and returns the ids of those that were stored.
    func ofRegistrations(_ requests: [RegistrationRequest]) -> PostgresConnection.PipelinedStatement {
        let rows = requests.flatMap { request in request.slots.map { (request, $0) } }
        let columns: [any PostgresEncodable] = [
            rows.map(\.1.id), rows.map(\.0.user), rows.map(\.1.startsAt), rows.map(\.0.task),
            rows.map(\.0.tag), rows.map { $0.1.adjusted?.rawValue }, rows.map(\.0.createdAt),
        ]
        return day.map { (Self.insertCounted, columns + [$0]) } ?? (Self.insertRegistrations, columns)
    }

    private static let cancelAgain = """
        UPDATE registrations SET cancelled_at = updated_at WHERE id = ANY($1)
        """

    /// Deletes registrations that this transaction has inserted, and cancels those that it has revived.
    func takeBack(
        _ registrations: [Identifier], revived: Set<Identifier>, on connection: PostgresConnection
    ) async throws(PostgresError) {
        let again = registrations.filter { revived.contains($0) }
        if !again.isEmpty { try await connection.query(Self.cancelAgain, [again]) }
        let inserted = registrations.filter { !revived.contains($0) }
        if inserted.isEmpty { return }
        try await connection.query(day == nil ? Self.delete : Self.deleteCounted, [inserted])
    }
}
