import Contract

/// A record of the requests of one person of a siege, with the promises and notifications that followed.
struct BesiegedLedger: Sendable {
    struct Told: Equatable, Sendable {
        let id: Int64
        let type: String
    }

    /// The registration: answered with 201, or found after the answer was lost.
    var registration: Identifier?
    /// The instant at which the registration was known.
    var acknowledgedAt: Timestamp?
    var hasTriedToCancel = false
    var isCancelled = false
    var hasTriedToLeave = false
    /// The outcome that was answered last; nil while another one is on its way.
    var outcome: SessionOutcome?
    /// Whether the deletion of the account was answered with 204.
    var hasLeft = false
    /// The handshakes of the room's socket: the server, and the instant at which the handshake arrived.
    var handshakes: [(server: ServerProcess, at: Timestamp)] = []
    /// The person that had blocked this one, or was blocked by it, before either registered.
    var enemy: Identifier?
    /// The instant from which on all of this person's notifications go to a webhook too.
    var endpointSince: Timestamp?
    /// The notifications, in the order of the event stream.
    var told: [Told] = []
    /// The room of the last notification that names one.
    var room: Identifier?
    /// Whether the end of the slot was told.
    var isOver = false
    var cheers: Int64 = 0
    /// Whether the part is over, but for receiving notifications.
    var hasPlayed = false
    /// Answers to a request that differ from the one that its idempotency key promises.
    var contradictions: [String] = []
    /// Unexpected answers.
    var surprises: [String] = []

    mutating func hear(_ notification: UserNotification) {
        told.append(Told(id: notification.id, type: notification.type))
        switch notification.data {
        case .roomOpened(let details), .roomChanged(let details): room = details.roomId
        case .sessionMissed, .sessionLapsed, .sessionCompleted: isOver = true
        case .slotPartnered, .slotAlone, .announcement, .unknown: break
        }
    }
}
