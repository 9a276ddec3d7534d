import Logging
package import Reactor

extension WakeSignal {
    /// Works until the task is cancelled: at once, at each signal, and after the interval without one. A
    /// failure is logged in these words, and tried again after the interval or the other time. It rests after
    /// each round, however many signals come.
    package func run(
        on loop: EventLoop, every interval: Duration, retryingAfter retry: Duration? = nil,
        resting rest: Duration = .zero, _ failure: String,
        isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws -> Void
    ) async {
        while !Task.isCancelled {
            var pause = interval
            do {
                try await work()
            } catch {
                if Task.isCancelled { return }
                Log.warning(failure, ["error": "\(error)"])
                pause = retry ?? interval
            }
            if rest > .zero { try? await ContinuousClock().sleep(for: rest) }
            await wait { [pause] ring in
                let timer = loop.schedule(after: pause, ring)
                return { loop.cancel(timer) }
            }
        }
    }
}
