import TestKit
import Testing
import WebSocket

@testable import Client
@testable import FlakyNetwork

@Suite("What a flaky link does to messages")
struct FaultPlanTests {
    private static let head = Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n".utf8)

    private static func frame(_ number: Int, _ opcode: Opcode = .text) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameEncoder.frame(opcode, Array("message \(number)".utf8), into: &bytes)
        return bytes
    }

    private func plan(_ seed: UInt64 = 1, _ change: (inout Faults) -> Void) -> FaultPlan {
        var plan = FaultPlan(.none, seed: seed, stream: 1, readsHead: true)
        _ = plan.receive(Self.head)
        var faults = Faults()
        change(&faults)
        plan.change(to: faults)
        return plan
    }

    private func steps(_ count: Int, _ change: (inout Faults) -> Void) -> [FaultPlan.Step] {
        var plan = plan { change(&$0) }
        return (1...count).flatMap { plan.receive(Self.frame($0)) } + plan.finish()
    }

    private func pass(_ numbers: Int...) -> [FaultPlan.Step] {
        numbers.map { .pass(Self.frame($0), after: .zero) }
    }

    @Test("is nothing, where there are no faults")
    func nothing() { #expect(steps(3) { _ in } == pass(1, 2, 3)) }

    @Test("is to lose them")
    func loss() { #expect(steps(3) { $0.loss = 1 } == []) }

    @Test("is to double them")
    func duplication() {
        #expect(steps(1) { $0.duplication = 1 } == [.pass(Self.frame(1) + Self.frame(1), after: .zero)])
    }

    @Test("is to let one overtake the other")
    func reordering() {
        #expect(steps(4) { $0.reordering = 1 } == [.held] + pass(2, 1) + [.held] + pass(4, 3))
        #expect(steps(3) { $0.reordering = 1 } == [.held] + pass(2, 1) + [.held] + pass(3))
    }

    @Test("is to turn one bit of what they say")
    func corruption() throws {
        let damaged = try #require(steps(1) { $0.corruption = 1 }.first)
        guard case .pass(let bytes, _) = damaged else { throw TestError("\(damaged)") }
        let turned = zip(bytes, Self.frame(1)).map { ($0 ^ $1).nonzeroBitCount }
        #expect(turned.reduce(0, +) == 1)
        #expect(turned.prefix(2).allSatisfy { $0 == 0 })
    }

    @Test("is to delay them, in order")
    func delay() {
        let wait = Duration.milliseconds(20)
        #expect(steps(1) { $0.delay = wait...wait } == [.pass(Self.frame(1), after: wait)])
    }

    @Test("is to end there, and say nothing more")
    func ends() {
        #expect(steps(3) { $0.reset = 1 } == [.reset])
        #expect(steps(3) { $0.halfOpen = 1 } == [.halfOpen])
    }

    @Test("leaves control frames and fragments alone, but for what ends a connection")
    func control() {
        var plan = plan { ($0.loss, $0.duplication, $0.reordering, $0.corruption) = (1, 1, 1, 1) }
        var fragment: [UInt8] = []
        FrameEncoder.frame(.text, [1], isFinal: false, into: &fragment)
        #expect(plan.receive(Self.frame(1, .ping)) == [.pass(Self.frame(1, .ping), after: .zero)])
        #expect(plan.receive(fragment) == [.pass(fragment, after: .zero)])
    }

    @Test("is decided by the seed, and not by how the bytes are cut or by pings between them")
    func deterministic() {
        var faults = Faults()
        (faults.loss, faults.duplication, faults.reordering) = (0.2, 0.2, 0.2)
        (faults.corruption, faults.reset, faults.halfOpen) = (0.2, 0.01, 0.01)
        let frames = (0..<100).map { Self.frame($0) }
        for seed in 0..<20 as Range<UInt64> {
            var (whole, cut) = (
                FaultPlan(faults, seed: seed, stream: 1, readsHead: true),
                FaultPlan(faults, seed: seed, stream: 1, readsHead: true)
            )
            let expected = whole.receive(Self.head + frames.flatMap { $0 })
            var found: [FaultPlan.Step] = []
            for byte in Self.head { found += cut.receive([byte]) }
            // The faults of messages do not depend on those of control frames.
            for frame in frames {
                for byte in frame { found += cut.receive([byte]) }
            }
            #expect(Self.joined(found) == Self.joined(expected), "seed \(seed)")
            #expect(whole.tally.counters == cut.tally.counters, "seed \(seed)")
        }
        let others = Set(
            (0..<20 as Range<UInt64>).map { seed in
                var plan = FaultPlan(faults, seed: seed, stream: 1, readsHead: true)
                return "\(plan.receive(Self.head + frames.flatMap { $0 }))"
            })
        #expect(others.count > 10)
    }

    @Test("draws for pings from a sequence of their own")
    func pings() {
        var faults = Faults()
        (faults.loss, faults.duplication) = (0.3, 0.3)
        let frames = (0..<50).map { Self.frame($0) }
        let ping = Self.frame(7, .ping)
        var (quiet, noisy) = (plan(3) { $0 = faults }, plan(3) { $0 = faults })
        let expected = frames.flatMap { quiet.receive($0) }
        let found = frames.flatMap { noisy.receive(ping) + noisy.receive($0) }
        #expect(found.filter { $0 != .pass(ping, after: .zero) } == expected)
    }

    @Test("is nothing that looks into an answer that is no upgrade")
    func plain() {
        var plan = FaultPlan(.none, seed: 1, stream: 1, readsHead: true)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n\u{1}\u{2}".utf8)
        #expect(plan.receive(answer) == [.pass(answer, after: .zero)])
        #expect(!plan.isInFrames)
    }

    /// Returns the steps with neighbouring bytes joined.
    private static func joined(_ steps: [FaultPlan.Step]) -> [FaultPlan.Step] {
        var result: [FaultPlan.Step] = []
        for step in steps {
            if case .pass(let bytes, let wait) = step, case .pass(let before, _)? = result.last {
                result[result.count - 1] = .pass(before + bytes, after: wait)
            } else {
                result.append(step)
            }
        }
        return result
    }
}
