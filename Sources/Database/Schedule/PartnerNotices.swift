package import Contract
package import Postgres
import Reactor
package import Scheduling

/// Notifies people that a slot of theirs has gone from registered to partnered, or back, before it opens.
///
/// A transaction that changes who is registered for a slot, or who may meet whom, notes the slot
/// (`slot_changes`). The noted slots are processed here, in the background and by one server at a time; the
/// new state, the notifications and the removal of the note commit together (a transactional outbox). So no
/// notification is repeated or lost after a crash, in any order of registrations. Registrations never wait
/// for this work, which matters near an opening: that holds the lock under which notifications are numbered.
package struct PartnerNotices: Sendable {
    package enum Step: Equatable, Sendable {
        /// Slots were looked at; there may be more.
        case looked
        case nothingIsNoted
        /// Another server is at it, or a user to notify is locked: try later.
        case busy
    }

    /// The number of slots in one transaction.
    private static let page: Int64 = 100
    /// The time for which a slot rests whose people were told something, however often others come and go.
    package static let rest = Duration.seconds(30)
    /// The pause after a look.
    private static let interval = Duration.seconds(1)
    /// The time after which it looks without a signal: cancellations and blocks send none, and slots rest.
    private static let lookInterval = Duration.seconds(5)

    private let pool: PostgresPool
    private let now: CurrentTime
    private let opensAt: @Sendable (Timestamp) -> Timestamp
    private let changed: @Sendable (ChangeEvent) -> Void
    private let wakeSignal = WakeSignal()

    /// `opensAt` returns when the slot with a key opens.
    package init(
        pool: PostgresPool, now: @escaping CurrentTime,
        opensAt: @escaping @Sendable (Timestamp) -> Timestamp,
        changed: @escaping @Sendable (ChangeEvent) -> Void
    ) {
        self.pool = pool
        self.now = now
        self.opensAt = opensAt
        self.changed = changed
    }

    /// Wakes it, since a slot may be noted.
    package func wake() { wakeSignal.send() }

    /// Works until the task is cancelled.
    package func run() async {
        await wakeSignal.run(
            on: pool.loop, every: Self.lookInterval, resting: Self.interval,
            "who is alone in a slot is told later"
        ) { while try await step() == .looked {} }
    }

    /// A slot that is looked at, as it was left the last time.
    private struct NotedSlot {
        let key: Timestamp
        var state: PartnerState
        var restsUntil: Timestamp?
        /// The people to be told.
        var changes = PartnerState.Changes()
        /// Whether it is not as it is stored.
        var isChanged = false

        /// Returns the slot as it is now.
        func updated(_ sight: PartnerState.Sight, at now: Timestamp) -> NotedSlot {
            var slot = self
            slot.changes = slot.state.update(sight)
            if !slot.changes.isEmpty { slot.restsUntil = now.adding(PartnerNotices.rest) }
            slot.isChanged = slot.state != state || !slot.changes.isEmpty
            return slot
        }
    }

    private static let key: Int64 = 0x7061_7274

    private static let lock = "SELECT pg_try_advisory_xact_lock($1)"

    /// Selects noted slots that do not rest.
    private static let noted = """
        SELECT DISTINCT slot_changes.starts_at
        FROM slot_changes LEFT JOIN slot_partners USING (starts_at)
        WHERE rests_until IS NULL OR rests_until <= $1
        ORDER BY slot_changes.starts_at
        LIMIT $2
        """

    private static let forget = "DELETE FROM slot_changes WHERE starts_at = ANY($1::timestamptz[])"

    private static let note = "INSERT INTO slot_changes (starts_at) SELECT unnest($1::timestamptz[])"

    private static let drop = "DELETE FROM slot_partners WHERE starts_at = ANY($1::timestamptz[])"

    /// Selects slots whose match has not begun.
    private static let unopened = """
        SELECT slots.starts_at, slot_partners.starts_at IS NOT NULL, known, coalesce(alone, '{}'), rests_until
        FROM slots LEFT JOIN slot_partners USING (starts_at)
        WHERE slots.starts_at = ANY($1::timestamptz[]) AND opened_at IS NULL AND leased_by IS NULL
            AND coalesce(closing_at, closed_at) IS NULL
        """

    /// Looks at some of the noted slots, and notifies their people of changes.
    package func step() async throws -> Step {
        do {
            let (step, told) = try await pool.transaction(attempts: 3) { connection in
                try await work(on: connection)
            }
            if told > 0 { changed(.notifications) }
            return step
        } catch PostgresError.commitUnknown(let reason) {
            changed(.notifications)
            throw PostgresError.commitUnknown(reason)
        }
    }

    private func work(on connection: PostgresConnection) async throws -> (Step, told: Int) {
        guard try await connection.query(Self.lock, [Self.key])[0].decode(0, Bool.self) else {
            return (.busy, 0)
        }
        let now = now()
        let keys: [Timestamp] = try await connection.query(Self.noted, [now, Self.page]).column()
        if keys.isEmpty { return (.nothingIsNoted, 0) }
        // First the notes go, then people are read: what changes meanwhile is noted again.
        try await connection.query(Self.forget, [keys])
        let before = try await read(keys, at: now, on: connection)
        let sights = try await look(at: before, on: connection)
        var slots = before.map { $0.updated(sights[$0.key] ?? .few([], partnered: []), at: now) }
        let free = try await lockUsers(of: slots.flatMap(\.changes.registrations), on: connection)
        let postponed = slots.filter { !$0.changes.registrations.isSubset(of: free) }.map(\.key)
        if !postponed.isEmpty { try await connection.query(Self.note, [postponed]) }
        slots.removeAll { postponed.contains($0.key) }
        let gone = Set(keys).subtracting(slots.filter { !$0.state.isEmpty }.map(\.key))
        try await connection.query(Self.drop, [gone.subtracting(postponed).sorted()])
        try await store(slots.filter { $0.isChanged && !$0.state.isEmpty }, on: connection)
        let told = try await tell(slots.map(\.changes), at: now, on: connection)
        return (postponed.isEmpty ? .looked : .busy, told)
    }

    /// Reads the slots that are still to open. The others need no state any more.
    private func read(
        _ keys: [Timestamp], at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> [NotedSlot] {
        var slots: [NotedSlot] = []
        for row in try await connection.query(Self.unopened, [keys]) {
            let (key, isKnown, known, alone, restsUntil) = try row.decode(
                Timestamp.self, Bool.self, [Identifier]?.self, [Identifier].self, Timestamp?.self)
            if now >= opensAt(key) { continue }
            let state = isKnown ? PartnerState(known: known.map { Set($0) }, alone: Set(alone)) : .init()
            slots.append(NotedSlot(key: key, state: state, restsUntil: restsUntil))
        }
        return slots
    }

    /// Selects the first people of each slot, one more than are looked at.
    private static let people = """
        SELECT noted.starts_at, person.id
        FROM unnest($1::timestamptz[]) AS noted (starts_at)
        CROSS JOIN LATERAL (
            SELECT id FROM registrations
            WHERE registrations.starts_at = noted.starts_at AND cancelled_at IS NULL
            ORDER BY id
            LIMIT $2
        ) AS person
        """

    /// Selects those of some registrations who have another one of them in their slot to be matched with, as
    /// `PreferenceGraph.mayMeet` has it.
    private static let partnered = """
        SELECT one.id
        FROM registrations AS one
        LEFT JOIN intents AS mine ON mine.registration_id = one.id
        WHERE one.id = ANY($1::uuid[]) AND EXISTS (
            SELECT FROM registrations AS other
            LEFT JOIN intents AS theirs ON theirs.registration_id = other.id
            WHERE other.id = ANY($1::uuid[]) AND other.starts_at = one.starts_at AND other.id <> one.id
                AND NOT EXISTS (
                    SELECT FROM blocks
                    WHERE removed_at IS NULL AND (
                        (user_id = one.user_id AND other_id = other.user_id)
                        OR (user_id = other.user_id AND other_id = one.user_id)))
                AND (coalesce(mine.invited_by = other.id, false)
                    OR coalesce(theirs.invited_by = one.id, false)
                    OR (\(isWelcome("mine", "one", "other")) AND \(isWelcome("theirs", "other", "one")))))
        """

    /// Returns SQL for whether a person meets not only favourites, or has marked the other.
    private static func isWelcome(_ intent: String, _ one: String, _ other: String) -> String {
        """
        (NOT coalesce(\(intent).favourites_only, false) OR EXISTS (
            SELECT FROM favourites
            WHERE removed_at IS NULL AND user_id = \(one).user_id AND other_id = \(other).user_id))
        """
    }

    /// Selects those of some registrations that are not cancelled, and whether they meet favourites only.
    private static let remaining = """
        SELECT id, coalesce(favourites_only, false)
        FROM registrations LEFT JOIN intents ON registration_id = id
        WHERE id = ANY($1::uuid[]) AND cancelled_at IS NULL
        """

    /// Returns the view of each slot; none for a slot without registrations.
    private func look(
        at slots: [NotedSlot], on connection: PostgresConnection
    ) async throws(PostgresError) -> [Timestamp: PartnerState.Sight] {
        var people: [Timestamp: Set<Identifier>] = [:]
        for row in try await connection.query(
            Self.people, [slots.map(\.key), Int64(PartnerState.most + 1)])
        {
            let (key, id) = try row.decode(Timestamp.self, Identifier.self)
            people[key, default: []].insert(id)
        }
        let few = people.filter { $0.value.count <= PartnerState.most }
        let partnered = Set<Identifier>(
            try await connection.query(Self.partnered, [few.values.flatMap { $0 }]).column())
        var sights = few.mapValues { PartnerState.Sight.few($0, partnered: $0.intersection(partnered)) }
        let crowded = slots.filter { people[$0.key]?.count ?? 0 > PartnerState.most }
        if crowded.isEmpty { return sights }
        var remaining: Set<Identifier> = []
        var selective: Set<Identifier> = []
        for row in try await connection.query(Self.remaining, [crowded.flatMap(\.state.alone)]) {
            let (id, meetsFavouritesOnly) = try row.decode(Identifier.self, Bool.self)
            remaining.insert(id)
            if meetsFavouritesOnly { selective.insert(id) }
        }
        for slot in crowded { sights[slot.key] = .many(remaining: remaining, selective: selective) }
        return sights
    }

    private static let write = """
        INSERT INTO slot_partners (starts_at, known, alone, rests_until)
        SELECT slot.starts_at,
            CASE WHEN slot.is_crowded THEN NULL
            ELSE array_agg(person.id) FILTER (WHERE person.id IS NOT NULL) END,
            coalesce(array_agg(person.id) FILTER (WHERE person.is_alone), '{}'), slot.rests_until
        FROM unnest($1::timestamptz[], $2::bool[], $3::timestamptz[])
            AS slot (starts_at, is_crowded, rests_until)
        LEFT JOIN unnest($4::timestamptz[], $5::uuid[], $6::bool[]) AS person (starts_at, id, is_alone)
            USING (starts_at)
        GROUP BY slot.starts_at, slot.is_crowded, slot.rests_until
        ON CONFLICT (starts_at) DO UPDATE SET
            known = excluded.known, alone = excluded.alone, rests_until = excluded.rests_until
        """

    private func store(
        _ slots: [NotedSlot], on connection: PostgresConnection
    ) async throws(PostgresError) {
        if slots.isEmpty { return }
        let people = slots.flatMap { slot in
            (slot.state.known ?? slot.state.alone).map { (slot.key, $0, slot.state.alone.contains($0)) }
        }
        try await connection.query(
            Self.write,
            [
                slots.map(\.key), slots.map { $0.state.known == nil }, slots.map(\.restsUntil),
                people.map(\.0), people.map(\.1), people.map(\.2),
            ])
    }

    /// Locks users in their order. `SKIP LOCKED`: an account deletion holds the user row and then waits for
    /// the notification lock, so waiting here would deadlock.
    private static let users = """
        SELECT registrations.id
        FROM accounts JOIN registrations ON registrations.user_id = accounts.id
        WHERE registrations.id = ANY($1::uuid[])
        ORDER BY accounts.id
        FOR KEY SHARE OF accounts SKIP LOCKED
        """

    /// Returns those of the registrations whose users exist until the end of the transaction.
    private func lockUsers(
        of registrations: [Identifier], on connection: PostgresConnection
    ) async throws(PostgresError) -> Set<Identifier> {
        if registrations.isEmpty { return [] }
        return Set(try await connection.query(Self.users, [registrations]).column())
    }

    /// Inserts what is still true under the lock: a match that was waited for has told more.
    private static let insert = """
        INSERT INTO notifications (user_id, type, created_at, registration_id)
        SELECT registrations.user_id, notice.type, $1, registrations.id
        FROM unnest($2::uuid[], $3::text[]) AS notice (registration_id, type)
        JOIN registrations ON registrations.id = notice.registration_id
        JOIN slots USING (starts_at)
        WHERE cancelled_at IS NULL AND opened_at IS NULL
        """

    /// Writes the notifications, and returns their number. The users are locked.
    private func tell(
        _ changes: [PartnerState.Changes], at now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Int {
        let partnered = changes.flatMap { $0.partnered.sorted() }
        let alone = changes.flatMap { $0.alone.sorted() }
        if partnered.isEmpty, alone.isEmpty { return 0 }
        let types =
            partnered.map { _ in NotificationType.slotPartnered.rawValue }
            + alone.map { _ in NotificationType.slotAlone.rawValue }
        try await NotificationWriter.lock(on: connection)
        return try await connection.execute(Self.insert, [now, partnered + alone, types])
    }
}

/// Notes slots whose people may meet others than before, in the transaction that changes it.
package enum SlotNotes {
    private static let ofTwo = """
        INSERT INTO slot_changes (starts_at)
        SELECT one.starts_at
        FROM registrations AS one JOIN registrations AS other USING (starts_at)
        WHERE one.user_id = $1 AND other.user_id = $2 AND one.starts_at > $3
            AND one.cancelled_at IS NULL AND other.cancelled_at IS NULL
        """

    private static let ofRegistration = """
        INSERT INTO slot_changes (starts_at) SELECT starts_at FROM registrations WHERE id = $1
        """

    /// Notes the slots ahead that both users are registered for.
    static func add(
        of one: Identifier, _ other: Identifier, after now: Timestamp, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(ofTwo, [one, other, now])
    }

    /// Notes the slot of a registration.
    static func add(
        of registration: Identifier, on connection: PostgresConnection
    ) async throws(PostgresError) {
        try await connection.query(ofRegistration, [registration])
    }
}
