package import Contract
import Logging
package import Postgres
import Reactor
package import Rooms

/// Stores entries, presence and ale counts of members in batches, off the path of the upgrade.
///
/// Reports that come while a batch is under way wait for the next one. An outage delays them and loses
/// nothing: a batch that failed is kept, and tried again.
package actor PresenceWriter {
    /// A member of a room; a person who is moved is a member of two.
    package struct Member: Hashable, Comparable {
        package var room: Identifier
        package var registration: Identifier

        package static func < (left: Member, right: Member) -> Bool {
            (left.registration, left.room) < (right.registration, right.room)
        }
    }

    /// Whether a member is present on this server, and the term in which the room was here; nil if rooms have
    /// no owners.
    package struct Presence: Equatable {
        package var isPresent: Bool
        package var term: Int32?
    }

    package struct Batch {
        /// The id of this batch alone: if it is not known whether the batch was stored, the database knows.
        package var id = Identifier(value: 0)
        /// The instants of entry; the first one of a member counts.
        package var entries: [Member: Timestamp] = [:]
        package var presence: [Member: Presence] = [:]
        package var ales: [Identifier: Int64] = [:]
        var memberAles: [Member: (sent: Int64, received: Int64)] = [:]

        package var isEmpty: Bool { entries.isEmpty && presence.isEmpty && !hasCounts }
        /// Whether there are counts, which are added to the stored ones, and must not be added twice.
        var hasCounts: Bool { !ales.isEmpty || !memberAles.isEmpty }
    }

    private let pool: PostgresPool
    /// The name of this server in `members.present_on`.
    private let serverName: String
    /// The id of this server's record of its rooms, in `members.log`.
    private let log: Identifier
    /// The clock by which the time is counted for which a member is away.
    private let now: CurrentTime
    private let tellPresence: @Sendable () -> Void
    private var waiting = Batch()
    /// The batch during whose commit the connection broke. It is settled before anything else.
    private var doubtful: Batch?
    private var isWriting = false
    /// The number of reports that have come; `stored` is the number of those that are stored.
    private var reported = 0
    private var stored = 0
    private var waiters: [CheckedContinuation<Void, any Error>] = []
    private let wakeSignal = WakeSignal()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { pool.loop.asUnownedSerialExecutor() }

    /// Creates a writer. `presenceChanged` is called when a change of presence is stored.
    package init(
        pool: PostgresPool, serverName: String, log: Identifier, now: @escaping CurrentTime,
        presenceChanged: @escaping @Sendable () -> Void = {}
    ) {
        self.log = log
        self.now = now
        tellPresence = presenceChanged
        self.pool = pool
        self.serverName = serverName
    }

    package func entered(room: Identifier, registration: Identifier, at now: Timestamp) {
        let member = Member(room: room, registration: registration)
        if waiting.entries[member] == nil { waiting.entries[member] = now }
        reported += 1
        wakeSignal.send()
    }

    package func presenceChanged(
        room: Identifier, registration: Identifier, term: Int32? = nil, present: Bool
    ) {
        waiting.presence[Member(room: room, registration: registration)] = Presence(
            isPresent: present, term: term)
        reported += 1
        wakeSignal.send()
    }

    package func counted(_ counts: [AleCount]) {
        for count in counts {
            waiting.ales[count.room, default: 0] += count.ales
            for ales in count.members {
                let member = Member(room: count.room, registration: ales.registration)
                let known = waiting.memberAles[member] ?? (0, 0)
                waiting.memberAles[member] = (known.sent + ales.sent, known.received + ales.received)
            }
        }
        reported += 1
        wakeSignal.send()
    }

    /// Writes until the task is cancelled, and then writes the rest.
    package func run() async {
        while !Task.isCancelled {
            if isIdle { await wakeSignal.wait() }
            if isIdle { continue }
            do {
                // A batch beside one of `flush` would count as stored what is still under way.
                try await flush()
            } catch {
                if !Task.isCancelled {
                    Log.warning("storing entries failed; retrying", ["error": "\(error)"])
                    try? await ContinuousClock().sleep(for: .milliseconds(300))
                }
            }
        }
    }

    /// Waits until all reports that came before the call are stored; throws if that fails.
    package func flush() async throws {
        let target = reported
        while stored < target {
            if isWriting {
                try await withCheckedThrowingContinuation { continuation in
                    // The state is checked again when the wait begins: a write that ended in between wakes no
                    // waiter.
                    if isWriting { waiters.append(continuation) } else { continuation.resume() }
                }
            } else {
                // It is claimed at once: of two callers that are woken together, each might find it free
                // before the other's call has begun.
                isWriting = true
                try await write()
            }
        }
    }

    /// Locks rooms, and then members, in the order in which all transactions lock many of them. Without it
    /// each statement would lock them in the order of its plan, and two servers, of which one takes the
    /// other's rooms, would wait for each other.
    private static let lockRooms = """
        SELECT FROM rooms WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
        """

    private static let lockMembers = """
        SELECT FROM members
        JOIN unnest($1::uuid[], $2::uuid[]) AS asked (room_id, registration_id)
            USING (room_id, registration_id)
        ORDER BY \(MemberOrder.columns) FOR NO KEY UPDATE OF members
        """

    /// Stores presence, and with it the entry, as one new version of the row: at an opening all members enter
    /// at once. A member whose socket here has closed may be present at another server by now.
    ///
    /// A report of a term that is not the room's is dropped, since the room has another owner, which knows
    /// its presence (the term is the fencing token); but a member who was present here, and is not any more,
    /// is away. The room is not locked, so that a report may be stored just after another server has taken
    /// the room: the next one corrects it. A membership that has ended has no presence.
    private static let updatePresence = """
        UPDATE members SET entered_at = coalesce(members.entered_at, visit.entered_at),
            present_on = CASE WHEN visit.present AND members.left_revision IS NULL THEN $5 END,
            log = CASE WHEN visit.present THEN $6 ELSE log END,
            away_since = CASE WHEN NOT visit.present THEN $7::timestamptz END
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bool[], $8::int4[])
            AS visit (room_id, registration_id, entered_at, present, term)
        JOIN rooms ON rooms.id = visit.room_id
        WHERE members.room_id = visit.room_id AND members.registration_id = visit.registration_id
            AND \(isLatest)
            AND CASE WHEN coalesce(visit.term, rooms.term) = rooms.term
                THEN visit.present OR coalesce(members.present_on, $5) = $5
                ELSE NOT visit.present AND members.present_on = $5 END
        """

    /// Stores entries alone: they are true in any term and from any server, as counts are.
    private static let insertEntries = """
        UPDATE members SET entered_at = visit.entered_at
        FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS visit (room_id, registration_id, entered_at)
        WHERE members.room_id = visit.room_id AND members.registration_id = visit.registration_id
            AND members.entered_at IS NULL AND \(isLatest)
        """

    /// The last membership of a person in a room: a person who was moved before a report was stored has left
    /// the room, and may have come back.
    private static let isLatest = """
        (members.left_revision IS NULL OR NOT EXISTS (
            SELECT FROM members AS later
            WHERE later.room_id = members.room_id AND later.registration_id = members.registration_id
                AND later.joined_revision > members.joined_revision))
        """

    private static let addAles = """
        UPDATE rooms SET ales = rooms.ales + counted.ales
        FROM unnest($1::uuid[], $2::int8[]) AS counted (room_id, ales) WHERE rooms.id = counted.room_id
        """

    private static let addMemberAles = """
        UPDATE members SET ales_sent = members.ales_sent + counted.sent,
            ales_received = members.ales_received + counted.received
        FROM (
            SELECT DISTINCT ON (counted.room_id, counted.registration_id) counted.*, members.joined_revision
            FROM unnest($1::uuid[], $2::uuid[], $3::int8[], $4::int8[])
                AS counted (room_id, registration_id, sent, received)
            JOIN members USING (room_id, registration_id)
            ORDER BY counted.room_id, counted.registration_id, members.joined_revision DESC) AS counted
        WHERE members.room_id = counted.room_id AND members.registration_id = counted.registration_id
            AND members.joined_revision = counted.joined_revision
        """

    /// Stores what waits; the caller has set `isWriting`.
    private func write() async throws {
        do {
            if let batch = doubtful {
                try await store(batch)
                doubtful = nil
            }
            let last = reported
            try await storeWaiting()
            stored = last
            endWriting(.success(()))
        } catch {
            endWriting(.failure(error))
            throw error
        }
    }

    private func storeWaiting() async throws {
        var batch = waiting
        if batch.isEmpty { return }
        waiting = Batch()
        var random = SystemRandomNumberGenerator()
        batch.id = Identifier.v4(using: &random)
        do {
            try await store(batch)
        } catch {
            if case .commitUnknown? = error as? PostgresError { doubtful = batch } else { restore(batch) }
            throw error
        }
        if !batch.presence.isEmpty { tellPresence() }
    }

    private static let claimCounts = """
        INSERT INTO count_batches (server, batch) VALUES ($1, $2)
        ON CONFLICT (server) DO UPDATE SET batch = excluded.batch, stored_at = excluded.stored_at
            WHERE count_batches.batch <> excluded.batch
        """

    /// Stores a batch once, however often it is called for the last batch.
    package func store(_ batch: Batch) async throws {
        let (serverName, log, now) = (serverName, log, self.now())
        try await pool.transaction(attempts: 3) { connection in
            if batch.hasCounts {
                let isNew = try await connection.execute(Self.claimCounts, [serverName, batch.id])
                if isNew == 0 { return }
            }
            try await Self.write(batch, serverName, log, at: now, on: connection)
        }
    }

    /// Locks and writes rooms before members, in the order in which a change of a match locks them: so no
    /// writers wait in a circle.
    private static func write(
        _ batch: Batch, _ serverName: String, _ log: Identifier, at now: Timestamp,
        on connection: PostgresConnection
    ) async throws {
        try await lock(batch, on: connection)
        if !batch.ales.isEmpty {
            let rooms = batch.ales.sorted { $0.key < $1.key }
            try await connection.query(addAles, [rooms.map(\.key), rooms.map(\.value)])
        }
        var stored = 0
        if !batch.presence.isEmpty {
            let visits = batch.presence.sorted { $0.key < $1.key }
            stored = try await connection.execute(
                updatePresence,
                [
                    visits.map(\.key.room), visits.map(\.key.registration),
                    visits.map { batch.entries[$0.key] }, visits.map(\.value.isPresent), serverName, log, now,
                    visits.map(\.value.term),
                ])
        }
        // Presence takes its entry along, unless it was dropped.
        let isWhole = batch.entries.keys.allSatisfy { batch.presence[$0] != nil }
        if stored < batch.presence.count || !isWhole {
            let entries = batch.entries.sorted { $0.key < $1.key }
            try await connection.query(
                insertEntries,
                [entries.map(\.key.room), entries.map(\.key.registration), entries.map(\.value)])
        }
        if !batch.memberAles.isEmpty {
            let members = batch.memberAles.sorted { $0.key < $1.key }
            try await connection.query(
                addMemberAles,
                [
                    members.map(\.key.room), members.map(\.key.registration), members.map(\.value.sent),
                    members.map(\.value.received),
                ])
        }
    }

    /// Locks what the batch changes, where its statements would lock more than one row.
    private static func lock(_ batch: Batch, on connection: PostgresConnection) async throws {
        if batch.ales.count > 1 { try await connection.query(lockRooms, [batch.ales.keys.sorted()]) }
        let members = Set(batch.entries.keys).union(batch.presence.keys).union(batch.memberAles.keys).sorted()
        if members.count > 1 {
            try await connection.query(lockMembers, [members.map(\.room), members.map(\.registration)])
        }
    }

    /// Puts a failed batch back below the reports that came meanwhile.
    private func restore(_ batch: Batch) {
        for (member, now) in batch.entries { waiting.entries[member] = now }
        for (member, presence) in batch.presence where waiting.presence[member] == nil {
            waiting.presence[member] = presence
        }
        for (room, ales) in batch.ales { waiting.ales[room, default: 0] += ales }
        for (member, counted) in batch.memberAles {
            let known = waiting.memberAles[member] ?? (0, 0)
            waiting.memberAles[member] = (known.sent + counted.sent, known.received + counted.received)
        }
    }

    private func endWriting(_ result: Result<Void, any Error>) {
        isWriting = false
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume(with: result) }
    }

    private var isIdle: Bool { waiting.isEmpty && doubtful == nil }
}
