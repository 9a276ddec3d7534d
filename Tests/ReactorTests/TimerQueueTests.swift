import Codecs
import Testing

@testable import Reactor

@Suite("The queue of timers")
struct TimerQueueTests {
    @Test("agrees with a sorted list, whatever is put in, taken out and cancelled", arguments: 0..<20)
    func model(run: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        var queue = TimerQueue()
        var model: [EventLoop.Timer] = []
        var now: UInt64 = 0
        for _ in 0..<500 {
            switch UInt8.random(in: 0..<4, using: &random) {
            case 0, 1:
                let timer = EventLoop.Timer(due: now + UInt64.random(in: 0..<50, using: &random), body: {})
                queue.insert(timer)
                model.append(timer)
            case 2:
                guard let timer = model.randomElement(using: &random) else { continue }
                queue.remove(timer)
                queue.remove(timer)
                model.removeAll { $0 === timer }
            default:
                now += 10
                while let timer = queue.popDue(at: now) {
                    #expect(timer.due == model.map(\.due).min(), "seed \(seed)")
                    model.removeAll { $0 === timer }
                }
                #expect(model.allSatisfy { $0.due > now }, "seed \(seed)")
            }
            #expect(queue.nextDue == model.map(\.due).min(), "seed \(seed)")
        }
    }

    @Test(
        "a delay is clamped to what a clock can hold",
        arguments: [
            (Duration.seconds(-1), 0 as UInt64), (.zero, 0), (.nanoseconds(7), 7),
            (.seconds(2), 2_000_000_000),
            (.seconds(Int64.max), 3_153_600_000_000_000_000),
        ])
    func clamping(duration: Duration, nanoseconds: UInt64) {
        #expect(duration.clampedNanoseconds == nanoseconds)
    }
}
