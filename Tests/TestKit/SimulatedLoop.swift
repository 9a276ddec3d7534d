import CLinux
package import Codecs
import Glibc
import Reactor

/// A loop that runs its work in the order of arrival, one piece whenever the simulation says so.
///
/// All loops of a simulation run on one thread, the one that made them: no two pieces of it ever run at once.
package final class SimulatedLoop: SerialExecutor, TaskExecutor {
    private enum Work: Sendable {
        case job(UnownedJob)
        case body(@Sendable () -> Void)
    }

    private struct State {
        var work: [Work] = []
        var isStalled = false
    }

    private let state = Lock(State())
    private let thread = UInt(pthread_self())

    package init() {}

    /// Whether there is work to run; false also while the process of the loop stands still.
    package var hasWork: Bool { state.withLock { !$0.isStalled && !$0.work.isEmpty } }

    /// Whether the loop stands still: none of its work runs.
    package var isStalled: Bool {
        get { state.withLock { $0.isStalled } }
        set { state.withLock { $0.isStalled = newValue } }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.work.append(.job(job)) }
    }

    package func execute(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.work.append(.body(body)) }
    }

    package func checkIsolated() { precondition(isCurrent, "not on the thread of the simulation") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Runs the next piece of work. On the thread of the simulation only.
    package func runNext() {
        switch state.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) {
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .body(let body): body()
        case nil: break
        }
    }

    /// Returns one of the loops that have work, which the generator chooses; nil if none has.
    package static func ready(
        among loops: [SimulatedLoop], using choice: inout SplitMix64
    ) -> SimulatedLoop? {
        var found: SimulatedLoop?
        var count: UInt64 = 0
        for loop in loops where loop.hasWork {
            count += 1
            if count == 1 || choice.next() % count == 0 { found = loop }
        }
        return found
    }

    private var isCurrent: Bool { thread == UInt(pthread_self()) }
}
