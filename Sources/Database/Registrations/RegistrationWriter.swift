package import Contract
import Outbox
package import Postgres

/// Writes the registrations of several requests in one transaction, each request as a whole or not at all.
package enum RegistrationWriter {
    package enum Decision: Equatable, Sendable {
        case settled(RegistrationRequest.Outcome)
        /// The request gave way to another one of the batch that was taken back in the end, or may have been;
        /// or another transaction holds its user.
        case again
    }

    private struct UserSlot: Hashable {
        var user: Identifier
        var startsAt: Timestamp
    }

    /// Holds users to the end of the transaction, so that no other server admits more for them. It does so in
    /// the order of the keys, so that two writers never wait for each other. Within a query of its own the
    /// array has no known length, as for `closedSlots`.
    private static let waitForUsers = """
        SELECT id FROM accounts WHERE id = ANY((SELECT $1)::uuid[]) ORDER BY id FOR NO KEY UPDATE
        """

    /// As above, without the users that another transaction holds.
    static let holdUsers = waitForUsers + " SKIP LOCKED"

    /// Selects the slots that their users have already. The comparison of rows, with this order, can only
    /// follow an index of the users. With an equality PostgreSQL may follow that of the slots, if its
    /// statistics are older than a crowd, and so read all people of a slot for each request.
    static let takenSlots = """
        SELECT user_id, starts_at
        FROM unnest($1::uuid[], $2::timestamptz[]) AS slot (user_id, starts_at)
        CROSS JOIN LATERAL (
            SELECT FROM registrations AS taken
            WHERE (taken.user_id, taken.starts_at) >= (slot.user_id, slot.starts_at)
                AND (taken.user_id, taken.starts_at) <= (slot.user_id, slot.starts_at)
                AND cancelled_at IS NULL
            ORDER BY taken.user_id, taken.starts_at
            LIMIT 1
        ) AS taken
        """

    /// Selects closed slots. A slot that is closing, or that another transaction begins to close, counts as
    /// closed and is not waited for: all other registrations would wait too. Open slots stay open to the end
    /// of the transaction, since closing waits for all transactions that refer to the slot. A server whose
    /// clock is behind asks for a slot that another server has closed. So does one for which an operator has
    /// closed the registration.
    ///
    /// Within a query of its own the array has no known length, so that no plan for its values looks cheaper
    /// than the one that is kept.
    private static let closedSlots = """
        WITH open AS (
            SELECT starts_at FROM slots
            WHERE starts_at = ANY((SELECT $1)::timestamptz[]) AND coalesce(closing_at, closed_at) IS NULL
                AND registration_closed_at IS NULL
            ORDER BY starts_at
            FOR KEY SHARE SKIP LOCKED
        )
        SELECT starts_at FROM slots
        WHERE starts_at = ANY((SELECT $1)::timestamptz[]) AND starts_at NOT IN (SELECT starts_at FROM open)
        """

    /// The statements of every batch, which a connection prepares once.
    package static let preparedStatements = RegistrationInsertion.preparedStatements.union([
        holdUsers, takenSlots, closedSlots,
    ])

    /// Writes the requests, with the answers of those that have idempotency keys. Returns the decision for
    /// each, and the slots that have changed. If another transaction holds a user, the request waits for it,
    /// or is answered with a request to retry.
    package static func write(
        _ requests: [RegistrationRequest], _ attendance: AttendanceRule? = nil,
        _ limit: RegistrationLimit? = nil, _ spans: RegistrationSpans? = nil, waits: Bool = true,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> ([Decision], changed: [Timestamp]) {
        let lost = try await claimKeys(of: requests, on: connection)
        let claimed = requests.indices.filter { !lost.contains($0) }
        let (decisions, changed) = try await writeClaimed(
            claimed.map { requests[$0] }, attendance, limit, spans, waits: waits, on: connection)
        var results = [Decision](repeating: .settled(.keyUnderWay), count: requests.count)
        for (index, decision) in zip(claimed, decisions) { results[index] = decision }
        let kept = zip(requests, results).compactMap { request, decision in
            decision == .settled(.registered) ? request.kept : nil
        }
        guard
            try await IdempotencyKeys.keep(
                kept.map { ($0.key, $0.key.user, $0.answer) }, on: connection)
        else { throw .rolledBack }
        return (results, changed)
    }

    /// Takes the idempotency keys for the transaction. Returns the requests, by their index, whose key
    /// another request has or had, or an earlier one of the batch.
    private static func claimKeys(
        of requests: [RegistrationRequest], on connection: PostgresConnection
    ) async throws(PostgresError) -> Set<Int> {
        var lost: Set<Int> = []
        var first: [[UInt8]: Int] = [:]
        for (index, request) in requests.enumerated() {
            guard let key = request.kept?.key else { continue }
            if first[key.name] == nil { first[key.name] = index } else { lost.insert(index) }
        }
        let asked = first.values.sorted()
        let taken = try await IdempotencyKeys.claim(
            asked.compactMap { requests[$0].kept?.key }, on: connection)
        return lost.union(taken.map { asked[$0] })
    }

    private static func writeClaimed(
        _ requests: [RegistrationRequest], _ attendance: AttendanceRule?, _ limit: RegistrationLimit?,
        _ spans: RegistrationSpans?, waits: Bool, on connection: PostgresConnection
    ) async throws(PostgresError) -> ([Decision], changed: [Timestamp]) {
        if requests.isEmpty { return ([], []) }
        let found = try await read(requests, limit, waits: waits, on: connection)
        let now = requests.map(\.createdAt).max() ?? requests[0].createdAt
        let tooMany = try limit?.refused(requests, found.limits, at: now) ?? [:]
        let tooSeldom = try await attendance?.refused(requests, on: connection) ?? [:]
        let returned = try await Returns.refused(requests, on: connection)
        let overlaps = try await spans?.overlaps(of: requests, on: connection) ?? [:]
        // A user who has no place left is also told that a slot is taken or over.
        var results = found.settled(requests, overlaps).merging(tooSeldom) { _, refused in refused }
        results.merge(returned) { said, _ in said }
        results.merge(tooMany) { said, _ in said }
        for index in requests.indices where !found.users.contains(requests[index].user) {
            results[index] = waits ? .settled(.unknownUser) : .again
        }
        let admitted = requests.indices.filter { results[$0] == nil }
        let insertion = RegistrationInsertion(day: limit?.countsDays == true ? LocalDate(utc: now) : nil)
        let (stored, changed) = try await store(
            admitted.map { requests[$0] }, insertion, spans, on: connection)
        for (index, result) in zip(admitted, stored) { results[index] = result }
        return (requests.indices.compactMap { results[$0] }, changed)
    }

    /// The committed state that requests meet.
    private struct Found {
        /// The users who exist, and are held.
        let users: Set<Identifier>
        let closed: Set<Timestamp>
        let taken: Set<UserSlot>
        /// The rows of the limits' statements.
        let limits: [PostgresRows]

        /// Returns the decisions for requests that cannot be stored. Nothing of them is written: a request
        /// for a taken slot costs the others nothing.
        func settled(_ requests: [RegistrationRequest], _ overlaps: [Int: RegistrationSpans.Overlaps])
            -> [Int: Decision]
        {
            var results: [Int: Decision] = [:]
            for (index, request) in requests.enumerated() {
                let free = request.slots.filter {
                    !taken.contains(UserSlot(user: request.user, startsAt: $0.startsAt))
                }
                let answer = result(of: request, Set(free.map(\.id)), closed, [])
                if answer != .settled(.registered) {
                    results[index] = answer
                } else if let overlaps = overlaps[index] {
                    results[index] = .settled(.overlaps(overlaps))
                }
            }
            return results
        }
    }

    /// Holds the users of the requests, and reads what they have.
    private static func read(
        _ requests: [RegistrationRequest], _ limit: RegistrationLimit?, waits: Bool,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Found {
        let users = Set(requests.map(\.user)).sorted()
        let slots = requests.flatMap { request in
            request.slots.map { UserSlot(user: request.user, startsAt: $0.startsAt) }
        }
        var statements: [PostgresConnection.PipelinedStatement] = [
            (waits ? waitForUsers : holdUsers, [users]), closedSlots(of: requests),
            (takenSlots, [slots.map(\.user), slots.map(\.startsAt)]),
        ]
        if let limit, let now = requests.map(\.createdAt).max() {
            statements += limit.statements(of: users, at: now)
        }
        let rows = try await connection.pipeline(statements)
        let taken = try rows[2].map { row throws(PostgresError) in
            UserSlot(user: try row.decode(0), startsAt: try row.decode(1))
        }
        return Found(
            users: Set(try rows[0].column()), closed: Set(try rows[1].column()), taken: Set(taken),
            limits: Array(rows[3...]))
    }

    private static func store(
        _ requests: [RegistrationRequest], _ insertion: RegistrationInsertion, _ spans: RegistrationSpans?,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> ([Decision], changed: [Timestamp]) {
        if requests.isEmpty { return ([], []) }
        let revived = try await insertion.revive(requests, on: connection)
        let written = try await connection.pipeline([
            insertion.ofSlots(requests), insertion.ofRegistrations(requests), closedSlots(of: requests),
        ])
        let inserted = Set<Identifier>(try written[1].column()).union(revived)
        let closed = Set<Timestamp>(try written[2].column())
        let apart = inserted.subtracting(
            try await spans?.store(requests, inserted: inserted, on: connection) ?? [])
        let whole = requests.filter { request in
            request.slots.allSatisfy { apart.contains($0.id) && !closed.contains($0.startsAt) }
        }
        let uninvited = try await Intents.store(of: whole, on: connection)
        let kept = Set(whole.compactMap { $0.slots.first?.id }).subtracting(uninvited)
        var freed: Set<UserSlot> = []
        var takenBack: [Identifier] = []
        for request in requests where request.slots.first.map({ !kept.contains($0.id) }) ?? false {
            for slot in request.slots where inserted.contains(slot.id) {
                takenBack.append(slot.id)
                freed.insert(UserSlot(user: request.user, startsAt: slot.startsAt))
            }
        }
        try await insertion.takeBack(takenBack, revived: Set(revived), on: connection)
        var results = requests.map { request -> Decision in
            if let slot = request.slots.first, uninvited.contains(slot.id) {
                return .settled(.inviteUnusable)
            }
            return result(of: request, inserted, closed, freed)
        }
        for index in requests.indices where results[index] == .settled(.registered) {
            let isApart = requests[index].slots.allSatisfy { apart.contains($0.id) }
            if !isApart { results[index] = try await overlap(requests, index, spans, on: connection) }
        }
        var changed: Set<Timestamp> = []
        for (request, result) in zip(requests, results) where result == .settled(.registered) {
            changed.formUnion(request.slots.map(\.startsAt))
        }
        return (results, changed: changed.sorted())
    }

    /// Returns the decision for a request that overlaps what others wrote meanwhile, or another request of
    /// the batch, which may be taken back in the end.
    private static func overlap(
        _ requests: [RegistrationRequest], _ index: Int, _ spans: RegistrationSpans?,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> Decision {
        guard requests.count == 1 else { return .again }
        let found = try await spans?.overlaps(of: requests, on: connection)[index]
        return found.map { .settled(.overlaps($0)) } ?? .again
    }

    private static func result(
        of request: RegistrationRequest, _ stored: Set<Identifier>, _ closed: Set<Timestamp>,
        _ freed: Set<UserSlot>
    ) -> Decision {
        let over = request.slots.indices.filter { closed.contains(request.slots[$0].startsAt) }
        if !over.isEmpty { return .settled(.over(over)) }
        let taken = request.slots.indices.filter { !stored.contains(request.slots[$0].id) }
        if taken.isEmpty { return .settled(.registered) }
        let isFreed = taken.contains { index in
            freed.contains(UserSlot(user: request.user, startsAt: request.slots[index].startsAt))
        }
        return isFreed ? .again : .settled(.taken(Array(taken)))
    }

    /// The statement that selects the closed slots among those of the requests.
    private static func closedSlots(of requests: [RegistrationRequest])
        -> PostgresConnection.PipelinedStatement
    {
        (closedSlots, [Set(requests.flatMap(\.slots).map(\.startsAt)).sorted()])
    }
}
