import Contract

/// A transaction that is under way in the model: what it holds, and what it will have changed.
struct ModelTransaction {
    let server: ServerHandle?
    /// When it began, microseconds, and after how many commits.
    let begunAt: Int64
    let begunAfter: Int
    var locks: [Timestamp] = []
    var effects: [ModelEffect] = []
    /// Registrations whose member rows it has changed.
    var rows: Set<UUID> = []
    /// Whom it found without a room.
    var arrivals: [UUID] = []
    /// Who leaves a room because nobody else is there, when that is written.
    var alone: Set<UUID> = []
    /// When it says that it made its match.
    var matchedAt: (slot: Timestamp, now: Timestamp)?
    var isLeased = false
    /// COMMIT was sent: whatever happens to who sent it, the server may have got it.
    var isCommitting = false
}

/// Who holds the lock of a slot, and who waits for it.
struct SlotQueue {
    var holder: Int
    var waiting: [(transaction: Int, call: Int)] = []
}

/// A statement on its way, or on its way back.
struct PendingCall {
    let server: ServerHandle?
    let transaction: Int?
    let continuation: CheckedContinuation<Void, any Error>
}
