import Contract

/// Ends a slot: closes its rooms, and notifies all its people of the outcome. Many people are told in several
/// transactions, so that other writers of notifications never wait for long.
struct SlotCloser: Sendable {
    package let clock: any ScheduleClock
    package let store: any ScheduleStore

    /// Closes the slot. Returns false if there was nothing to close, or if it is too early.
    package func close(_ startsAt: Timestamp) async throws -> Bool {
        var progress = Progress()
        while !progress.isOver { progress = try await closeMore(startsAt, progress) }
        return progress.hasClosed
    }

    private struct Progress: Sendable {
        var last = Identifier(value: 0)
        var isOver = false
        var hasClosed = false
    }

    private func closeMore(_ startsAt: Timestamp, _ progress: Progress) async throws -> Progress {
        try await store.transaction(on: startsAt) { transaction in
            let now = clock.now()
            guard let slot = try await transaction.slot(), !slot.isClosed, slot.endsAt <= now else {
                return Progress(isOver: true)
            }
            if let last = try await transaction.close(after: progress.last, at: now) {
                return Progress(last: last)
            }
            return Progress(isOver: true, hasClosed: true)
        }
    }
}
