import Client
import Contract
import Glibc
import Reactor
import TestKit
import Testing
import WebSocket

@Suite("Clients that do not read", .timeLimit(.minutes(5)))
struct SlowReaderTests {
    private static let clock = ContinuousClock()
    /// The number of ales. `FLOOD_ALES=2000000` with `LETSSWITCH_PROGRAMS` at a release build shows what the
    /// server is built for.
    private static let flood =
        ProcessEnvironment.current()["FLOOD_ALES"].flatMap { Int($0) } ?? 200_000

    @Test("a client that never reads costs the server little memory, and delays no other")
    func neverReads() async throws {
        let settings = ["ALES_PER_SECOND": "0", "WORKERS": "1"]
        try await Stage.withServer(.openNow, settings) { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let warmUp = try await RoomSocket.open(room, as: bea)
            // The memory that the server keeps for any ale is allocated after these.
            await adas.send(raw: Self.ales(5_000))
            for _ in 0..<5_000 { _ = try await warmUp.skip(to: "aleResponse") }
            let elsewhere = try await Self.strangers(stage, server, besides: room)
            await warmUp.drop()
            _ = try await adas.skip(to: "presence")
            _ = try await adas.skip(to: "presence")
            let slow = try await RoomSocket.open(room, as: bea)
            _ = try await slow.message("handshake")
            await slow.setPaused(true)
            _ = try await adas.skip(to: "presence")

            let figures = server.members.map { ProcessFigures(processID: $0.child.processID) }
            let before = try figures.map { try $0.memory() }
            let probing = Task { try await Self.probe(elsewhere, figures) }
            let start = Self.clock.now
            var sent = 0
            while sent < Self.flood {
                let count = min(20_000, Self.flood - sent)
                await adas.send(raw: Self.ales(count))
                sent += count
                // The next batch is sent when this one has been relayed: pending output is the server's, and
                // not the test's.
                await adas.send(.ping, [])
                while try await adas.next() != .pong {}
            }
            let taken = Self.clock.now - start
            probing.cancel()
            let (memory, longest) = try await probing.value
            let after = try figures.map { try $0.memory() }
            let grown = figures.indices.map { max(memory[$0], after[$0]) - before[$0] }.max() ?? 0
            print("\(sent) ales in \(taken): memory grew by \(grown) bytes, the slowest pong \(longest)")
            #expect(grown <= 2 * 1024 * 1024, "\(grown) bytes")
            #expect(try await Metric.read("sockets_dropped_total{reason=\"slowReader\"}", from: server) == 1)
            #expect(try await Metric.read("ales_total", from: server) == sent + 5_000)
            // It is no longer there, which another server knows once the room's own one has stored it.
            try await eventually(equals: 1) { try await ada.api.room(room).members.count { $0.present } }
            // The slow reader gets the reason if it reads before the server's patience ends, else the
            // connection is cut.
            await slow.setPaused(false)
            let end = try await slow.close()
            #expect(end == .closed(4101, "retryAfterMs=1000") || end == .ended, "\(end)")
        }
    }

    /// Returns so many ales, each as a whole frame.
    private static func ales(_ count: Int) -> [UInt8] {
        var frame: [UInt8] = []
        FrameEncoder.maskedFrame(.text, Array("{\"type\":\"ale\"}".utf8), key: 0x1357_9bdf, into: &frame)
        return [UInt8]((0..<count).map { _ in frame }.joined())
    }

    /// Opens the socket of a person in another room of the same server.
    private static func strangers(
        _ stage: Stage, _ server: ServerProcess, besides room: Identifier
    ) async throws -> RoomSocket {
        let cyd = try await Person(named: "Cyd", on: server)
        let dan = try await Person(named: "Dan", on: server)
        _ = try await cyd.enter(stage.grid.openSlot)
        // The room of three loses a member who has not entered it yet.
        let other = try await dan.enter(stage.grid.openSlot).roomId
        #expect(other != room)
        let socket = try await RoomSocket.open(other, as: dan)
        _ = try await socket.message("handshake")
        return socket
    }

    /// Probes until it is cancelled; returns the most memory that each process had, and the longest wait for
    /// a pong.
    private static func probe(
        _ socket: RoomSocket, _ figures: [ProcessFigures]
    ) async throws -> (memory: [Int], longest: Duration) {
        var (memory, longest) = (figures.map { _ in 0 }, Duration.zero)
        while !Task.isCancelled {
            let start = clock.now
            await socket.send(.ping, [])
            while try await socket.next() != .pong {}
            longest = max(longest, clock.now - start)
            for (index, one) in figures.enumerated() { memory[index] = max(memory[index], try one.memory()) }
            try? await clock.sleep(for: .milliseconds(5))
        }
        return (memory, longest)
    }

    @Test("one who is silent is closed with 4102 after two and a half pings, and the others are told")
    func silent() async throws {
        try await Stage.withServer(.openNow, ["PING_SECONDS": "3"]) { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let start = Self.clock.now
            let dead = try await RoomSocket.open(room, as: bea)
            dead.answersPings = false
            _ = try await adas.skip(to: "presence")
            // Ada answers pings while she reads.
            #expect(try await adas.skip(to: "presence")["present"]?.bool == false)
            let taken = Self.clock.now - start
            // A busy machine may take longer than two and a half intervals, but not less.
            #expect(taken > .milliseconds(7400), "\(taken)")
            #expect(try await dead.close() == .closed(4102, "retryAfterMs=500"))
            #expect(try await Metric.read("sockets_dropped_total{reason=\"silent\"}", from: server) == 1)
        }
    }

    @Test("one whose machine is gone is dropped as soon, also with much that it never took")
    func gone() async throws {
        try await Stage.withServer(.openNow, ["PING_SECONDS": "3", "ALES_PER_SECOND": "0"]) { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let adas = try await RoomSocket.open(room, as: ada)
            let dead = try await RoomSocket.open(room, as: bea)
            // The kernel buffers the output until it is full; neither side reads or writes.
            await dead.setPaused(true)
            _ = try await adas.skip(to: "presence")
            await adas.send(raw: Self.ales(20_000))
            #expect(try await adas.skip(to: "presence")["present"]?.bool == false)
            try await eventually(equals: 1) { try await ada.api.room(room).members.count { $0.present } }
        }
    }
}
