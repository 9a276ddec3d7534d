/// A task that sleeps until the next instant at which there is work.
struct Alarm {
    private(set) var due: Duration?
    private var task: Task<Void, Never>?

    /// Whether the alarm rings after that instant or not at all, so that it has to be set.
    func isLate(for instant: Duration) -> Bool { due.map { instant < $0 } ?? true }

    mutating func set(_ instant: Duration, _ task: Task<Void, Never>) {
        self.task?.cancel()
        due = instant
        self.task = task
    }

    mutating func rang() {
        due = nil
        task = nil
    }

    func cancel() { task?.cancel() }
}
