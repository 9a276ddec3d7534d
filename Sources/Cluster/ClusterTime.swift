package import Reactor

/// The time in which the parts of a server run, and the executor that they run on: the machine's, or those of
/// a simulation.
package struct ClusterTime: Sendable {
    /// Calls its argument after that time, and returns a function that prevents it.
    package typealias Alarm =
        @Sendable (Duration, @escaping @Sendable () -> Void) -> () -> Void

    package let executor: any SerialExecutor & TaskExecutor
    /// The microseconds since the start of the machine, by a clock that cannot be set and that counts while
    /// the machine sleeps.
    package let sinceBoot: @Sendable () -> Int64
    /// The nanoseconds of a clock that cannot be set.
    package let monotonic: @Sendable () -> UInt64
    package let alarm: Alarm
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        executor: any SerialExecutor & TaskExecutor, sinceBoot: @escaping @Sendable () -> Int64,
        monotonic: @escaping @Sendable () -> UInt64, alarm: @escaping Alarm,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.executor = executor
        self.sinceBoot = sinceBoot
        self.monotonic = monotonic
        self.alarm = alarm
        self.sleep = sleep
    }

    /// The time of this machine, on a loop, from which the alarms are set.
    package init(
        on loop: EventLoop, sinceBoot: @escaping @Sendable () -> Int64 = { Monotonic.sinceBoot() }
    ) {
        self.init(
            executor: loop, sinceBoot: sinceBoot, monotonic: { Monotonic.nanoseconds() },
            alarm: { pause, ring in
                let timer = loop.schedule(after: pause, ring)
                return { loop.cancel(timer) }
            }, sleep: { try await ContinuousClock().sleep(for: $0) })
    }
}
