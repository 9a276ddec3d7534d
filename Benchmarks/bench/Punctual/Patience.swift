/// The wait for a condition of another process, which can only be looked at.
enum Patience {
    /// Looks until the condition is true; returns false once the limit has passed.
    static func wait(
        _ limit: Duration, looking interval: Duration, _ condition: () async throws -> Bool
    ) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while try await !condition() {
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: interval)
        }
        return true
    }
}
