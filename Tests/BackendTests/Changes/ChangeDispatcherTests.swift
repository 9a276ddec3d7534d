import Contract
import Reactor
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("Changes that are dealt with")
struct ChangeDispatcherTests {
    /// A part that records what it gets; what is about rooms waits until it is released.
    private struct Recorder: Part {
        let rooms = AsyncStream<PendingChanges>.makeStream()
        let users = AsyncStream<PendingChanges>.makeStream()
        let slots = AsyncStream<Timestamp>.makeStream()
        let gate = AsyncStream<Void>.makeStream()

        func changed(_ changes: PendingChanges) async {
            for slot in changes.slots { slots.continuation.yield(slot) }
            if !changes.users.isEmpty { users.continuation.yield(changes) }
            if changes.concernRooms {
                rooms.continuation.yield(changes)
                for await _ in gate.stream { break }
            }
        }
    }

    private static func next<Value: Sendable>(_ stream: AsyncStream<Value>) async throws -> Value {
        for await value in stream { return value }
        throw CancellationError()
    }

    @Test(
        "a flood of changed rooms keeps no revoked token and no slot waiting, and is gathered",
        .timeLimit(.minutes(1)))
    func flood() async throws {
        let changes = ChangeDispatcher()
        let test = Recorder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await changes.run([test]) }
            defer { group.cancelAll() }
            changes.receive(.room(Identifier(value: 1)))
            let seen1 = try await Self.next(test.rooms.stream)
            #expect(seen1.rooms == [Identifier(value: 1)])
            // From here on the action for rooms is under way, for as long as it takes.
            for _ in 0..<100 {
                for id in 1...24 { changes.receive(.room(Identifier(value: UInt128(id)))) }
            }
            changes.receive(.user(Identifier(value: 9)))
            changes.receive(.slot(ScheduleFixture.slot))
            let seen2 = try await Self.next(test.users.stream)
            #expect(seen2.users == [Identifier(value: 9)])
            let seen3 = try await Self.next(test.slots.stream)
            #expect(seen3 == ScheduleFixture.slot)
            test.gate.continuation.yield()
            let seen4 = try await Self.next(test.rooms.stream)
            #expect(seen4.rooms.count == 24)
            for id in 1...(PendingChanges.standardBound + 1) {
                changes.receive(.room(Identifier(value: UInt128(id))))
            }
            test.gate.continuation.yield()
            let all = try await Self.next(test.rooms.stream)
            #expect(all.all == [.rooms] && all.rooms.isEmpty)
        }
    }

    @Test("rooms that this process has opened are not read again", .timeLimit(.minutes(1)))
    func own() async throws {
        let changes = ChangeDispatcher()
        let test = Recorder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await changes.run([test]) }
            defer { group.cancelAll() }
            changes.receive(.opened(ScheduleFixture.slot, by: ChangeEvent.origin))
            changes.receive(.opened(ScheduleFixture.end, by: ChangeEvent.noProcess))
            let seen5 = try await Self.next(test.rooms.stream)
            #expect(seen5.opened == [ScheduleFixture.end: ChangeEvent.noProcess])
        }
    }

    @Test("what has come meanwhile is left for others where the task is cancelled", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let queue = ChangeQueue()
        queue.add(.notifications)
        let run = Task {
            await queue.run("hints") { changes in
                #expect(changes.changeEvents == [.notifications])
                queue.add(.presence)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await run.value
        #expect(queue.take().changeEvents == [.presence])
    }

    @Test(
        "what fails is tried again until it succeeds, with what has come meanwhile", .timeLimit(.minutes(1)))
    func retries() async throws {
        struct Failure: Error {}
        let queue = ChangeQueue()
        let (tries, tried) = AsyncStream<PendingChanges>.makeStream()
        let pauses = Lock<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await queue.run(
                    "rooms",
                    pause: { failures in
                        pauses.withLock { $0.append(failures) }
                        queue.add(.room(Identifier(value: UInt128(failures))))
                    }
                ) { changes in
                    tried.yield(changes)
                    if changes.rooms.count < 3 { throw Failure() }
                }
            }
            defer { group.cancelAll() }
            queue.add(.all(.users))
            for count in 0...3 {
                let changes = try await Self.next(tries)
                #expect(changes.all == [.users] && changes.rooms.count == count)
            }
            queue.add(.notifications)
            let next = try await Self.next(tries)
            #expect(next.changeEvents == [.notifications])
            #expect(pauses.withLock { $0 }.prefix(3) == [1, 2, 3])
        }
    }
}
