import Synchronization
import TestKit
import Testing

@testable import Reactor

@Suite("The wake signal", .timeLimit(.minutes(1)))
struct WakeSignalTests {
    /// Returns when its task is cancelled.
    private static let endless: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(3_600)) }

    @Test("several signals that are sent before a wait end one wait")
    func kept() async {
        let signal = WakeSignal()
        signal.send()
        signal.send()
        #expect(await signal.wait())
        #expect(await !signal.wait(during: {}))
        signal.send()
        #expect(await signal.wait(during: {}))
    }

    @Test("wakes a caller that waits, and cancels its alarm")
    func woken() async {
        let signal = WakeSignal()
        let cancelled = Atomic(0)
        let isSent = await signal.wait(alarm: { _ in
            signal.send()
            return { cancelled.add(1, ordering: .relaxed) }
        })
        #expect(isSent && cancelled.load(ordering: .relaxed) == 1)
    }

    @Test("wakes a caller that waits, and cancels its sleep")
    func wokenFromSleep() async {
        let signal = WakeSignal()
        let isSent = await signal.wait(during: {
            signal.send()
            await Self.endless()
        })
        #expect(isSent)
    }

    @Test("a wait ends without a signal when its alarm rings, or its sleep is over")
    func alarm() async {
        let signal = WakeSignal()
        let ringsAtOnce = await signal.wait(alarm: { ring in
            ring()
            return {}
        })
        #expect(!ringsAtOnce)
        #expect(await !signal.wait(during: {}))
    }

    @Test("a cancelled task does not wait", arguments: [true, false])
    func cancelled(isBefore: Bool) async {
        let signal = WakeSignal()
        let begun = Signal<Void>()
        let task = Task {
            if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
            let first = await signal.wait(alarm: { _ in
                begun.send()
                return {}
            })
            let second = await signal.wait(during: Self.endless)
            return first || second
        }
        if !isBefore { await begun.value() }
        task.cancel()
        #expect(await !task.value)
    }

    @Test("a signal is not lost, whenever it is sent")
    func race() async {
        let (signal, answer) = (WakeSignal(), WakeSignal())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for turn in 0..<2_000 {
                    if turn.isMultiple(of: 2) {
                        #expect(await signal.wait())
                    } else {
                        #expect(await signal.wait(during: Self.endless))
                    }
                    answer.send()
                }
            }
            for _ in 0..<2_000 {
                signal.send()
                #expect(await answer.wait())
            }
        }
    }
}
