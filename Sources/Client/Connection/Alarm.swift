/// One task that sleeps until the next instant at which something is to be done.
struct Alarm {
    private(set) var due: Duration?
    private var task: Task<Void, Never>?

    /// Whether nothing rings at that instant or earlier, so that it has to be set.
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
