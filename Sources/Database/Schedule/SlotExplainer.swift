package import Contract
import Matching
package import Postgres
package import Scheduling

/// Makes the first match of a slot again from the data that the database has kept.
package struct SlotExplainer: Sendable {
    package let rules: ScheduleRules
    package let pool: PostgresPool

    package init(rules: ScheduleRules, pool: PostgresPool) {
        self.rules = rules
        self.pool = pool
    }

    private static let readSlot = """
        SELECT opened_at, match_seed, match_method, match_cost, match_bound, matched_as_of
        FROM slots WHERE starts_at = $1 AND match_seed IS NOT NULL
        """

    /// Selects the people who were matched at the opening, also those who cancelled later. Accounts that were
    /// deleted since are not known any more.
    private static let readPeople = """
        \(PostgresSlot.selectPeople(", task"))
        JOIN accounts ON accounts.id = user_id
        WHERE registrations.starts_at = $1 AND registrations.created_at <= $2
            AND EXISTS (
                SELECT FROM members JOIN rooms ON rooms.id = room_id
                WHERE members.registration_id = registrations.id AND joined_revision = 1
                    AND rooms.opened_at <= $2)
        ORDER BY registrations.id
        """

    private static let readRooms = """
        SELECT room_id, registration_id, accounts.id IS NULL
        FROM rooms
        JOIN members ON room_id = rooms.id AND joined_revision = 1
        JOIN registrations ON registrations.id = registration_id
        LEFT JOIN accounts ON accounts.id = user_id
        WHERE rooms.starts_at = $1 AND rooms.opened_at <= $2
        ORDER BY room_id, registration_id
        """

    /// Returns the explanation of a slot; nil if the slot has no first match.
    package func explain(_ startsAt: Timestamp) async throws -> SlotExplanation? {
        try await pool.transaction(.repeatableRead, readOnly: true) { connection in
            guard let row = try await connection.query(Self.readSlot, [startsAt]).first else { return nil }
            let (openedAt, seed, method, cost, bound, asOf) = try row.decode(
                Timestamp.self, Int64.self, String.self, Int64.self, Int64.self, Timestamp.self)
            let record = MatchRecord(
                seed: UInt64(bitPattern: seed), method: SlotMatch.Method(rawValue: method) ?? .repaired,
                cost: cost, bound: bound, asOf: asOf)
            return try await explain(startsAt, openedAt, record, on: connection)
        }
    }

    private func explain(
        _ startsAt: Timestamp, _ openedAt: Timestamp, _ record: MatchRecord, on connection: PostgresConnection
    ) async throws -> SlotExplanation {
        var people: [SlotPerson] = []
        var tasks: [Identifier: String] = [:]
        for row in try await connection.query(Self.readPeople, [startsAt, openedAt]) {
            let person = try PostgresSlot.readPerson(row)
            people.append(person)
            tasks[person.registration] = try row.decode(7, String?.self)
        }
        var changes: [String] = []
        var members: [Identifier: [Identifier]] = [:]
        var order: [Identifier] = []
        var former = 0
        for row in try await connection.query(Self.readRooms, [startsAt, openedAt]) {
            let (room, registration, isFormer) = try row.decode(Identifier.self, Identifier.self, Bool.self)
            if members[room] == nil { order.append(room) }
            members[room, default: []].append(registration)
            if isFormer { former += 1 }
        }
        if former > 0 { changes.append("\(former) of the people have deleted their accounts") }
        let edges = try await PostgresSlotEdges(startsAt: startsAt, connection: connection, asOf: openedAt)
            .all()
        // The optimum was not looked for, or not taken, if the repaired pairing stands.
        let plan = await SlotPlan.make(
            people, edges, rules, seed: record.seed, asOf: record.asOf,
            optimalSize: record.method == .repaired ? 0 : Matcher.optimalSize)
        let again = Set(plan.match.rooms.map { room in Set(room.map { people[Int($0)].registration }) })
        let kept = Set(members.values.map { Set($0) })
        if again != kept {
            let different = kept.subtracting(again).count
            changes.append(
                "made again from the seed, \(different) of \(counted(kept.count, "room")) would be "
                    + "different: what people knew of each other, or a setting, is not what it was")
        }
        let indexes = Dictionary(
            people.enumerated().map { ($1.registration, Int32($0)) }, uniquingKeysWith: { first, _ in first })
        let rooms = order.map { id in
            let known = (members[id] ?? []).compactMap { indexes[$0] }
            return (
                id: id,
                room: SlotExplanation.Room(
                    members: known.map { people[Int($0)] }, reasons: RoomReasons(known, in: plan.graph))
            )
        }
        return SlotExplanation(
            startsAt: startsAt, openedAt: openedAt, record: record, rooms: rooms, changes: changes,
            tasks: tasks,
            people: people, graph: plan.graph)
    }
}
