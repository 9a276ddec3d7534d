import Contract

/// A transaction that is under way in the model: what it holds, and what it will have changed.
struct ModelTransaction {
    let server: ServerHandle?
    /// When it began, microseconds.
    let begunAt: Int64
    /// After how many commits it got the last of its locks, or began.
    var lockedAfter: Int
    var locks: [ModelLock] = []
    var effects: [ModelEffect] = []
    /// Registrations whose member rows it has changed.
    var rows: Set<Identifier> = []
    /// Whom it found without a room.
    var arrivals: [Identifier] = []
    /// Who leaves a room because nobody else is there, when that is written.
    var alone: Set<Identifier> = []
    /// When it says that it made its match.
    var matchedAt: (slot: Timestamp, now: Timestamp)?
    var isLeased = false
    /// COMMIT was sent: whatever happens to who sent it, the server may have got it.
    var isCommitting = false
}

/// What one transaction holds at a time, to its end.
enum ModelLock: Hashable, Sendable {
    case slot(Timestamp)
    /// Of whoever writes notifications.
    case notifications

    var slot: Timestamp? {
        switch self {
        case .slot(let startsAt): startsAt
        case .notifications: nil
        }
    }
}

/// Who holds a lock, and who waits for it.
struct LockQueue {
    var holder: Int
    var waiting: [(transaction: Int, call: Int)] = []
}

/// A statement on its way, or on its way back.
struct PendingCall {
    let server: ServerHandle?
    let transaction: Int?
    let continuation: CheckedContinuation<Void, any Error>
}
