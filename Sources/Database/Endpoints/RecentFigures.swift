package import Contract

/// What waits in the database, asked by one at a time and seldom, however many want to know.
package actor RecentFigures {
    /// An answer, or that there was none, is good for so long.
    static let freshness = Duration.seconds(5)

    private let now: @Sendable () -> Timestamp
    private let read: @Sendable () async -> EndpointFigures?
    private var latest: (figures: EndpointFigures?, at: Timestamp)?
    private var reading: Task<EndpointFigures?, Never>?

    package init(
        now: @escaping @Sendable () -> Timestamp, read: @escaping @Sendable () async -> EndpointFigures?
    ) {
        self.now = now
        self.read = read
    }

    /// Nil where the database does not answer.
    package func current() async -> EndpointFigures? {
        if let latest, now().since(latest.at) < Self.freshness { return latest.figures }
        // The one that asks waits for it, and so do those that come meanwhile, whoever of them gives up.
        if let reading { return await reading.value }
        let task = Task { await read() }
        reading = task
        let figures = await task.value
        latest = (figures, now())
        reading = nil
        return figures
    }
}
