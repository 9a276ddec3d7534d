import Contract

/// Ends a slot: its rooms are over, and everybody is told how it went.
struct SlotCloser: Sendable {
    let clock: any ScheduleClock
    let store: any ScheduleStore

    /// False where there was nothing to close, or it is too early.
    func close(_ startsAt: Timestamp) async throws -> Bool {
        try await store.tellEnd(of: startsAt, at: clock.now())
        return try await store.transaction(on: startsAt) { transaction in
            let now = clock.now()
            guard let slot = try await transaction.slot(), !slot.isClosed, slot.endsAt <= now else {
                return false
            }
            try await transaction.close(at: now)
            return true
        }
    }
}
