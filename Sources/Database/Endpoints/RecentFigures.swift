package import Contract

/// The recent figures of pending deliveries, read from the database by one caller at a time and seldom,
/// however many ask.
package actor RecentFigures {
    /// The time for which an answer, or its absence, is kept.
    static let freshness = Duration.seconds(5)

    private let now: CurrentTime
    private let read: @Sendable () async -> EndpointFigures?
    private var latest: (figures: EndpointFigures?, at: Timestamp)?
    private var reading: Task<EndpointFigures?, Never>?

    package init(now: @escaping CurrentTime, read: @escaping @Sendable () async -> EndpointFigures?) {
        self.now = now
        self.read = read
    }

    /// Returns the figures; nil if the database does not answer.
    package func current() async -> EndpointFigures? {
        if let latest, now().since(latest.at) < Self.freshness { return latest.figures }
        // The caller that starts the reading waits for it, and so do later callers, whichever of them gives
        // up.
        if let reading { return await reading.value }
        let task = Task { await read() }
        reading = task
        let figures = await task.value
        latest = (figures, now())
        reading = nil
        return figures
    }
}
