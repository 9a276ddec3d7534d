import Contract

/// A transaction of the model in progress: its locks, and the changes that it will make.
struct ModelTransaction {
    let server: ServerHandle?
    /// The instant at which it began, in microseconds.
    let begunAt: Int64
    /// The number of commits before it got the last of its locks, or began.
    var lockedAfter: Int
    var locks: [ModelLock] = []
    var effects: [ModelEffect] = []
    /// The registrations whose member rows it has changed.
    var rows: Set<Identifier> = []
    /// The registrations that it found without a room.
    var arrivals: [Identifier] = []
    /// The members of the slot as it found them, by their registrations: others enter and leave meanwhile.
    var members: [Identifier: ModelTables.Member] = [:]
    /// The registrations that leave a room because they are alone there when that is written.
    var alone: Set<Identifier> = []
    /// The instant at which it reports to have made its match.
    var matchedAt: (slot: Timestamp, now: Timestamp)?
    var isLeased = false
    /// Whether COMMIT was sent: the database may have received it, whatever happens to the sender.
    var isCommitting = false
}

/// A lock that one transaction holds at a time, to its end.
enum ModelLock: Hashable, Sendable {
    case slot(Timestamp)
    /// The lock of the notification writers.
    case notifications

    var slot: Timestamp? {
        switch self {
        case .slot(let startsAt): startsAt
        case .notifications: nil
        }
    }
}

/// The holder of a lock, and the calls that wait for it.
struct LockQueue {
    var holder: Int
    var waiting: [(transaction: Int, call: Int)] = []
}

/// A statement on its way to the database, or its answer on the way back.
struct PendingCall {
    let server: ServerHandle?
    let transaction: Int?
    let continuation: CheckedContinuation<Void, any Error>
}
