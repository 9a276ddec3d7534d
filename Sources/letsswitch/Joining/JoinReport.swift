import Contract

/// A report that prints each event on a line of its own.
struct JoinReport {
    private let console: Console

    init(_ console: Console) { self.console = console }

    func tell(_ joinEvent: JoinEvent?) {
        guard let joinEvent else { return }
        console.json(joinEvent)
        console.line("\(LocalClock.timeWithSeconds(joinEvent.at)) \(joinEvent.text)")
    }
}
