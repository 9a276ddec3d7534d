import CLinux
import Glibc
import Reactor
import SocketTesting
import Synchronization
import TestKit
import Testing

@Suite("An event loop")
struct EventLoopTests {
    /// Values that are used on one loop.
    private final class Notes<Value> {
        var values: [Value] = []
    }

    private func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Value
    ) async throws -> Value {
        let group = try EventLoopGroup(count: 1, name: "tested")
        defer { group.shutdown() }
        return try await body(group.loops[0])
    }

    @Test("runs what it is given in the order of the calls, and answers with results and errors")
    func order() async throws {
        try await onLoop { loop in
            let notes = await loop.submit { LoopBound(Notes<Int>(), to: loop) }
            for number in 0..<1000 { loop.execute { notes.value.values.append(number) } }
            #expect(await loop.submit { notes.value.values } == Array(0..<1000))
            await #expect(throws: SystemError.failed(call: "test", errno: 5)) {
                try await loop.submit { () throws(SystemError) in throw .failed(call: "test", errno: 5) }
            }
        }
    }

    @Test("loses no wake-up, from any caller and any number of threads")
    func wakeUps() async throws {
        try await onLoop { loop in
            let notes = await loop.submit { LoopBound(Notes<(thread: Int, number: Int)>(), to: loop) }
            await withTaskGroup { group in
                for thread in 0..<4 {
                    group.addTask {
                        await BlockingThread.run { () -> Void in
                            for number in 0..<5000 {
                                loop.execute { notes.value.values.append((thread, number)) }
                            }
                        }
                    }
                }
            }
            let all = await loop.submit { notes.value.values }
            #expect(all.count == 20_000)
            for thread in 0..<4 {
                #expect(all.filter { $0.thread == thread }.map(\.number) == Array(0..<5000))
            }
        }
    }

    @Test("calls timers in the order in which they are due, never early, and not those that were cancelled")
    func timers() async throws {
        try await onLoop { loop in
            let last = Signal<[Int]>()
            let begun = Monotonic.nanoseconds()
            await loop.submit {
                let notes = Notes<Int>()
                for delay in [30, 10, 20, 0, 40] {
                    loop.schedule(after: .milliseconds(delay)) {
                        notes.values.append(delay)
                        if delay == 40 { last.send(notes.values) }
                    }
                }
                let cancelled = loop.schedule(after: .milliseconds(15)) { notes.values.append(-1) }
                loop.cancel(cancelled)
                loop.cancel(cancelled)
            }
            #expect(await last.value() == [0, 10, 20, 30, 40])
            #expect(Monotonic.nanoseconds() - begun >= 40_000_000)
        }
    }

    @Test("work without an end keeps neither timers nor sockets waiting")
    func fairness() async throws {
        try await onLoop { loop in
            let isOver = Atomic<Bool>(false)
            @Sendable func again() {
                if !isOver.load(ordering: .relaxed) { loop.execute { again() } }
            }
            loop.execute { again() }
            let timer = Signal<Void>()
            loop.execute { loop.schedule(after: .milliseconds(5)) { timer.send() } }
            await timer.value()
            let echo = try await EchoServer(on: loop)
            let peer = try await Peer(to: echo.address)
            await peer.send("heard")
            #expect(try await peer.take(until: "heard") == "heard")
            isOver.store(true, ordering: .relaxed)
        }
    }

    @Test("a task that prefers it stays on its thread after every suspension")
    func taskExecutor() async throws {
        try await onLoop { loop in
            let isAlwaysThere = await Task(executorPreference: loop) {
                var isThere = loop.isCurrent
                for _ in 0..<10 {
                    await Task.yield()
                    isThere = isThere && loop.isCurrent
                    async let child = loop.isCurrent
                    isThere = await child && isThere
                }
                return isThere
            }.value
            #expect(isAlwaysThere)
        }
    }

    @Test(
        "when it ends, its sockets are closed and their owners are told", arguments: EventLoop.Mechanism.here)
    func ending(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "ending", mechanism)
        let echo = try await EchoServer(on: group.loops[0])
        let peer = try await Peer(to: echo.address)
        await peer.send("hello")
        try await peer.take(until: "hello")
        group.shutdown()
        #expect(try await peer.readToEnd() == [])
        #expect(await echo.failure.value() == ECANCELED)
        // The listening socket was closed with the loop.
        await #expect(throws: Peer.Failure.self) { try await Peer(to: echo.address) }
    }
}
