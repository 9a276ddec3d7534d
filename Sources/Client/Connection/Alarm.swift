import Reactor

/// A task that sleeps until the next instant at which there is work.
struct Alarm {
    private var due: Duration?
    private var task: Task<Void, Never>?

    /// Makes the alarm ring at the earliest of those instants, or before it. `ring` gets the instant.
    mutating func set(
        _ instants: [Duration?], on loop: EventLoop, _ clock: ClientClock,
        _ ring: @escaping @Sendable (Duration) async -> Void
    ) {
        guard let instant = instants.compactMap(\.self).min(), due.map({ instant < $0 }) ?? true else {
            return
        }
        task?.cancel()
        due = instant
        task = Task(executorPreference: loop) {
            do { try await clock.sleep(instant) } catch { return }
            await ring(instant)
        }
    }

    /// Takes the ring of that instant. Returns false if an earlier alarm was set just before it.
    mutating func rang(at instant: Duration) -> Bool {
        guard due == instant else { return false }
        due = nil
        task = nil
        return true
    }

    func cancel() { task?.cancel() }
}
