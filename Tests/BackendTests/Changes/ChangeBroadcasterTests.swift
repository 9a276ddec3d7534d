import Contract
import Postgres
import PostgresTesting
import Reactor
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Hints to other servers")
struct ChangeBroadcasterTests {
    /// Lends the notifications of the database's channel to the body.
    private static func listening(
        to database: PostgresConfiguration, on loop: EventLoop,
        _ body: @Sendable (AsyncStream<PostgresNotification>) async throws -> Void
    ) async throws {
        let (notifications, notified) = AsyncStream<PostgresNotification>.makeStream()
        let (connections, connected) = AsyncStream<Void>.makeStream()
        let listener = PostgresListener(database, on: loop, channels: [ChangeEvent.channel])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await listener.run(
                    onConnect: { connected.yield() }, onNotification: { notified.yield($0) })
            }
            defer { group.cancelAll() }
            for await _ in connections { break }
            try await body(notifications)
        }
    }

    private static func take(
        _ count: Int, from stream: AsyncStream<PostgresNotification>
    ) async -> [PostgresNotification] {
        var taken: [PostgresNotification] = []
        for await notification in stream {
            taken.append(notification)
            if taken.count == count { break }
        }
        return taken
    }

    @Test("are sent once for each key, and known as one's own", .timeLimit(.minutes(1)))
    func sends() async throws {
        try await TestDatabase.with { database in
            let broadcaster = ChangeBroadcaster(database.configuration, on: database.loop, openSlots: { [] })
            let slot = ChangeEvent.slot(ScheduleFixture.slot)
            for _ in 0..<3 {
                for changeEvent in [slot, .presence, .notifications] { broadcaster.tell(changeEvent) }
            }
            try await Self.listening(to: database.configuration, on: database.loop) { notifications in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await broadcaster.run() }
                    defer { group.cancelAll() }
                    let own = await Self.take(2, from: notifications)
                    #expect(Set(own.compactMap { ChangeEvent($0.payload) }) == [slot, .notifications])
                    #expect(own.allSatisfy { broadcaster.isOwn($0) })
                    try await database.withConnection { try await ChangeEvent.send([.notifications], on: $0) }
                    let other = await Self.take(1, from: notifications)
                    #expect(other.map(\.payload) == ["notifications"])
                    #expect(!other.contains { broadcaster.isOwn($0) })
                }
            }
            await broadcaster.finish()
        }
    }

    @Test("name slots that are open where more rooms have changed than are named", .timeLimit(.minutes(1)))
    func overflow() async throws {
        try await TestDatabase.with { database in
            let broadcaster = ChangeBroadcaster(
                database.configuration, on: database.loop, openSlots: { [ScheduleFixture.slot] })
            broadcaster.tell(.all(.rooms))
            try await Self.listening(to: database.configuration, on: database.loop) { notifications in
                // Change events that are left at the end are sent too.
                await broadcaster.finish()
                let changeEvents = await Self.take(2, from: notifications).compactMap {
                    ChangeEvent($0.payload)
                }
                #expect(
                    Set(changeEvents) == [
                        .all(.rooms), .opened(ScheduleFixture.slot, by: ChangeEvent.noProcess),
                    ])
            }
        }
    }

    @Test("are sent by no transaction that writes", .timeLimit(.minutes(2)))
    func transactions() async throws {
        try await RESTWorld.with { world in
            try await Self.listening(to: world.pool.configuration, on: world.pool.loop) { notifications in
                let (ann, bob) = (try await world.signUp(), try await world.signUp("Bob"))
                let slot = "2027-03-01T13:00:00Z"
                let ids = [try await world.register(ann, slot), try await world.register(bob, slot)]
                _ = try await world.open(ids, at: slot)
                try await world.send("PATCH", "/v1/me", token: ann, body: #"{"name":"Anna"}"#)
                try await world.pool.transaction { connection in
                    let departure = try await RoomDeparture.leave([ids[1]], on: connection)
                    try await NotificationWriter.write(
                        departure.notices, at: world.clock.now, on: connection)
                }
                try await world.pool.withConnection { try await ChangeEvent.send([.notifications], on: $0) }
                // No other notification came before that.
                let first = await Self.take(1, from: notifications)
                #expect(first.map(\.payload) == ["notifications"])
                let rows = try await world.pool.query("SELECT FROM notifications")
                #expect(rows.count == 1)
                let changeEvents = world.changeEvents.withLock { $0 }
                let startsAt = try #require(Timestamp(slot))
                #expect(changeEvents.contains(.slot(startsAt)))
                #expect(changeEvents.contains { if case .room = $0 { true } else { false } })
            }
        }
    }

    @Test("follow the commit of a match, and one whose outcome is unknown", .timeLimit(.minutes(2)))
    func matches() async throws {
        try await ScheduleFixture.with { fixture in
            let (here, others) = (Lock<[ChangeEvent]>([]), Lock<[ChangeEvent]>([]))
            var store = fixture.store
            store.changed = { changeEvent in here.withLock { $0.append(changeEvent) } }
            store.tellOthers = { changeEvent in others.withLock { $0.append(changeEvent) } }
            try await fixture.register(2)
            fixture.set(ScheduleFixture.opening)
            _ = try await fixture.matcher(store: store).match(ScheduleFixture.slot, seed: 1)
            #expect(here.withLock { $0 } == [.notifications])
            #expect(others.withLock { $0 } == [.opened(ScheduleFixture.slot, by: ChangeEvent.origin)])
            // The transaction is rolled back: no change event is sent.
            _ = try? await store.transaction(on: ScheduleFixture.slot) { slot in
                try await slot.lease(SlotLease(holder: "x", until: ScheduleFixture.end))
                throw CancellationError()
            }
            #expect(here.withLock { $0.count } == 1 && others.withLock { $0.count } == 1)
            // The commit's answer is lost: this server gets the change event too.
            _ = try? await store.transaction(on: ScheduleFixture.slot) { slot in
                (slot as? PostgresSlot)?.changed(.opened(ScheduleFixture.slot, by: ChangeEvent.origin))
                throw PostgresError.commitUnknown("lost")
            }
            #expect(here.withLock { $0.last } == .opened(ScheduleFixture.slot, by: ChangeEvent.noProcess))
        }
    }
}
