package import Contract

/// Recent figures of the database, read once at a time and seldom, however many ask.
package actor RecentFigures<Figures: Sendable> {
    /// The least time for which an answer, or its absence, is kept.
    static var freshness: Duration { .seconds(5) }

    /// The figures are kept for as many times as long as it took to read them, so that a database that has
    /// much to count is not kept busy with it.
    package static var thrift: Int { 20 }

    private let thrift: Int
    private let now: CurrentTime
    /// The longest time that a caller waits for a database that hangs.
    private let patience: Duration
    private let read: @Sendable () async -> Figures?
    private var latest: (figures: Figures?, until: Timestamp)?
    private var isReading = false
    private var waiting: [Int: CheckedContinuation<Figures?, Never>] = [:]
    private var callers = 0

    package init(
        now: @escaping CurrentTime, thrift: Int = RecentFigures.thrift, patience: Duration = .seconds(2),
        read: @escaping @Sendable () async -> Figures?
    ) {
        self.thrift = thrift
        self.now = now
        self.patience = patience
        self.read = read
    }

    /// Returns the figures; those of before if the database takes long, and nil if it does not answer.
    package func current() async -> Figures? {
        if let latest, now() < latest.until { return latest.figures }
        if !isReading {
            isReading = true
            // The reading is never cancelled: it serves all callers, whichever of them gives up.
            Task { await self.readAnew() }
        }
        callers += 1
        let caller = callers
        let alarm = Task {
            try? await ContinuousClock().sleep(for: patience)
            self.answer(caller, self.latest?.figures)
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { waiting[caller] = $0 }
    }

    private func readAnew() async {
        let begun = now()
        let figures = await read()
        let ended = now()
        let kept = figures == nil ? .zero : ended.since(begun) * thrift
        latest = (figures, ended.adding(max(Self.freshness, kept)))
        isReading = false
        for caller in waiting.keys { answer(caller, figures) }
    }

    private func answer(_ caller: Int, _ figures: Figures?) {
        waiting.removeValue(forKey: caller)?.resume(returning: figures)
    }
}
