package import Contract
package import Database
import Logging
package import Postgres
package import Reactor
package import Rooms
import Scheduling
import Settings
import WebSocket

/// The rooms of this server: reads them from the database for the loops that own them, and queries those
/// loops.
package struct RoomDirectory: Sendable {
    let application: Application
    let pool: PostgresPool
    private let writer: PresenceWriter
    let reading: MembershipReading
    /// This process, as the owner of rooms.
    package let incarnation: Identifier
    let rooms: [LoopBound<RoomLoop>]
    let loops: [EventLoop]
    /// The memberships of rooms that devices knock at, and claims of rooms by their last terms and owners.
    let knocks: SharedAnswers<Identifier, Membership>
    let claims: SharedAnswers<RoomClaim, Int32>
    /// Whether ales may be answered now.
    let mayAnswer: @Sendable () -> Bool
    /// The rooms that others have taken, until they have been read and given up.
    package let unreadLost = Lock<Set<Identifier>>([])
    /// The rooms that came from other servers with their logs, until the database knows that these are here.
    package let unmovedLogs = Lock<Set<Identifier>>([])
    /// The layout of the rooms' logs.
    package let layout: RoomLogLayout
    /// The most rooms that are read in advance. If there are more, only rooms that are here already are read;
    /// the others are read when their first member enters.
    package static let maximumInAdvance = 20_000
    private static let occupiedAtOnce = 1000

    /// Creates the directory. The saved rooms of the file have to be claimed before, since only rooms that
    /// this server owns are restored. `log` is the identity of that file, stored in `members.log`. While
    /// `mayAnswer` says no, ales wait until `resume`.
    package init(
        _ application: Application, pool: PostgresPool, writer: PresenceWriter, log: Identifier,
        incarnation: Identifier = ChangeEvent.origin, loops: [EventLoop], file: RoomsFile?,
        mayAnswer: @escaping @Sendable () -> Bool = { true }
    ) async {
        self.application = application
        self.pool = pool
        self.writer = writer
        self.incarnation = incarnation
        self.mayAnswer = mayAnswer
        self.loops = loops
        let reading = MembershipReading(
            lead: .seconds(application.configuration.leadSeconds), log: log, owner: incarnation, pool: pool)
        self.reading = reading
        knocks = SharedAnswers(on: pool.loop) { ids in
            Dictionary(uniqueKeysWithValues: try await reading.memberships(of: ids).map { ($0.room, $0) })
        }
        claims = SharedAnswers(on: pool.loop) { try await RoomClaim.make($0, by: incarnation, in: pool) }
        var configuration = RoomConfiguration(
            now: application.now,
            socketURL: { [tickets = application.tickets] room, user, version, closesAt in
                tickets.socketURL(room: room, user: user, tokenVersion: version, closesAt: closesAt)
            },
            frame: { version, payload, bytes in
                FrameEncoder.frame(version == .one ? .binary : .text, payload.span.bytes, into: &bytes)
            })
        if let file { configuration.log = file.layout }
        layout = configuration.log
        configuration.incarnation = incarnation
        configuration.mayAnswer = mayAnswer
        configuration.alesPerSecond = application.configuration.alesPerSecond
        configuration.pingSeconds = application.configuration.pingSeconds
        var rooms: [LoopBound<RoomLoop>] = []
        for (index, loop) in loops.enumerated() {
            let (writerLoop, configuration) = (pool.loop, configuration)
            let saved = file?.saved.filter { Self.index(of: $0.id, loops: loops.count) == index } ?? []
            rooms.append(
                await loop.submit {
                    LoopBound(
                        RoomLoop(
                            loop, configuration, writer: writer, writerLoop: writerLoop,
                            storage: file?.storage(), saved: saved), to: loop)
                })
        }
        file?.forgetSaved()
        self.rooms = rooms
    }

    /// Returns the index of the loop that owns a room, by a hash of the id that is the same in every process.
    package func index(of room: Identifier) -> Int { Self.index(of: room, loops: loops.count) }

    private static func index(of room: Identifier, loops: Int) -> Int {
        let mixed = UInt64(truncatingIfNeeded: room.value) ^ UInt64(truncatingIfNeeded: room.value >> 64)
        return Int(mixed.multipliedFullWidth(by: UInt64(loops)).high)
    }

    package func loop(of room: Identifier) -> EventLoop { loops[index(of: room)] }

    /// Returns the host of a room. Call it on the room's loop only.
    package func host(of room: Identifier) -> RoomHost { rooms[index(of: room)].value.host }

    // From the database.

    /// Reads rooms again, except those that are over. After a failure, rooms that are here are read again
    /// later, and others when their first member enters.
    package func refresh(_ ids: [Identifier]) async {
        do {
            try await read(await worthReading(ids))
        } catch {
            Log.warning("reading rooms failed; retrying", ["rooms": "\(ids.count)", "error": "\(error)"])
            for id in ids { application.changed(.room(id)) }
        }
    }

    /// Reads the rooms that other servers have changed: single rooms if they are here, and all rooms of a
    /// slot that has opened.
    package func refresh(_ changes: PendingChanges) async throws {
        if changes.all.contains(.rooms) { return try await refreshAll() }
        try await read(await known(among: Array(changes.rooms)))
        for slot in changes.opened.keys.sorted() {
            let own = try await MembershipReader.rooms(of: slot, of: incarnation, from: pool)
            try await read(await worthReading(own))
        }
    }

    /// Reads the rooms of users that are here, since their tokens may no longer be valid.
    package func refresh(of users: [Identifier]) async throws {
        if users.isEmpty { return }
        try await read(await known(among: try await MembershipReader.rooms(of: users, from: pool)))
    }

    /// Reads the rooms in which a member is present, some at a time, to find changes whose event was lost.
    package func refreshOccupied() async throws {
        for (index, loop) in loops.enumerated() {
            let occupied = await loop.submit { [rooms] in rooms[index].value.host.occupied }
            for start in stride(from: 0, to: occupied.count, by: Self.occupiedAtOnce) {
                let begun = Monotonic.nanoseconds()
                try await read(Array(occupied[start..<min(start + Self.occupiedAtOnce, occupied.count)]))
                // Reading takes at most a fifth of the time.
                let took = Int64(clamping: Monotonic.nanoseconds() &- begun)
                try await ContinuousClock().sleep(for: .nanoseconds(4 * took))
            }
        }
    }

    /// Reads all open rooms of this server: at the start, and after change events may have been lost. Rooms
    /// that are open here are read too if another server owns them.
    package func refreshAll() async throws {
        let own = try await MembershipReader.allOpen(
            at: application.now(), of: incarnation, from: pool)
        var ids = Set(await worthReading(own))
        for (index, loop) in loops.enumerated() {
            ids.formUnion(await loop.submit { [rooms] in rooms[index].value.host.openRooms })
        }
        try await read(Array(ids))
    }

    private func worthReading(_ ids: [Identifier]) async -> [Identifier] {
        ids.count <= Self.maximumInAdvance ? ids : await known(among: ids)
    }

    /// Whether the user is a member of the room, by the database.
    func wasThere(_ room: Identifier, of user: Identifier) async throws(PostgresError) -> Bool {
        try await MembershipReader.wasMember(user, of: room, from: pool)
    }

    // To the database.

    /// Stores the members who have entered until now.
    func storeEntries() async throws { try await settle { $0.reportEntries() } }

    /// Stores the entries and the counts, and closes the rooms that are over.
    package func storeEverything() async throws { try await settle { $0.reportEverything() } }

    /// Stores the members who are present, whether reported before or not.
    func storePresence() async throws { try await settle { $0.reportPresence() } }

    func settle(_ body: @escaping @Sendable (RoomLoop) -> Void) async throws {
        for (index, loop) in loops.enumerated() {
            await loop.submit { [rooms] in body(rooms[index].value) }
        }
        // The reports of the loops were enqueued at the writer before this call.
        try await writer.flush()
    }

    // Questions.

    package func snapshot(of room: Identifier) async -> RoomSnapshot? {
        await loop(of: room).submit { host(of: room).snapshot(of: room) }
    }

    package func statistics() async -> RoomStatistics {
        var sum = RoomStatistics()
        for (index, loop) in loops.enumerated() {
            sum += await loop.submit { [rooms] in rooms[index].value.host.currentStatistics }
        }
        return sum
    }

    /// Shows an announcement to its recipients who are in rooms of this server.
    package func show(_ id: Int64) async throws {
        guard let announcement = try await Announcements.read(id, in: pool) else { return }
        var ids: [Identifier]?
        var user: Identifier?
        switch announcement.audience {
        case .everybody: break
        case .slot(let key): ids = try await MembershipReader.rooms(of: key, of: incarnation, from: pool)
        case .person(let person):
            user = person
            ids = try await MembershipReader.rooms(of: [person], from: pool)
        }
        for (index, loop) in loops.enumerated() {
            var rest = ids ?? []
            if ids == nil { rest = await loop.submit { [rooms] in rooms[index].value.host.openRooms } }
            // In parts, so that the rooms of the loop are not kept waiting.
            while !rest.isEmpty {
                let part = Array(rest.prefix(500))
                rest.removeFirst(part.count)
                await loop.submit { [rooms, user] in
                    rooms[index].value.host.announce(
                        announcement.text, at: announcement.at, in: part, to: user)
                }
            }
        }
    }

    // The end.

    /// Closes every socket with 1012, some at a time, with delays that spread the reconnects.
    package func drain() async {
        await startDraining()
        let spread = ReturnSpread(sockets: await statistics().devices)
        for (index, loop) in loops.enumerated() {
            while await loop.submit({ [rooms] in
                var random = SystemRandomNumberGenerator()
                return rooms[index].value.host.closeDevices(.restarting, limit: 500) {
                    RetryAfter.reason(spread.hint(using: &random))
                }
            }) {}
        }
    }
}

extension RoomDirectory: ScheduledRooms {}

extension RoomDirectory: OwnedRooms {
    package var log: Identifier { reading.log }
    package var rows: any RoomRows { pool }
    package var hostCount: Int { loops.count }

    package func submit<Value: Sendable>(
        to index: Int, _ body: @escaping @Sendable (RoomHost) -> Value
    ) async -> Value {
        await loops[index].submit { [rooms] in body(rooms[index].value.host) }
    }

    package func apply(_ memberships: [Membership], at index: Int) async {
        await loops[index].submit { [rooms] in rooms[index].value.apply(memberships) }
    }

    package func freeze(_ room: Identifier) async {
        await loop(of: room).submit { host(of: room).freeze(room) }
    }

    package func thaw(_ room: Identifier, after pause: Duration) async {
        let loop = loop(of: room)
        await loop.submit {
            _ = loop.schedule(after: pause) { host(of: room).thaw(room) }
        }
    }

    package func memberships(of ids: [Identifier]) async throws -> [Membership] {
        try await reading.memberships(of: ids)
    }

    package func membership(of room: Identifier) async throws -> Membership? { try await knocks.ask(room) }

    package func claim(_ claim: RoomClaim) async throws -> Int32? { try await claims.ask(claim) }

    package func tellOthers(of room: Identifier) { application.tellOthers(.room(room)) }

    package func storeCounts() async { try? await settle { $0.reportCounts() } }

    package func now() -> Timestamp { application.now() }
}
