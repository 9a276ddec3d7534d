import Contract

/// What one person of a siege has asked for, been promised and been told.
struct BesiegedLedger: Sendable {
    struct Told: Equatable, Sendable {
        let id: Int64
        let type: String
    }

    /// Answered with 201, or found to be there after the answer was lost.
    var registration: Identifier?
    /// When that was known.
    var acknowledgedAt: Timestamp?
    var hasTriedToCancel = false
    var isCancelled = false
    var hasTriedToLeave = false
    /// The deletion of the account was answered with 204.
    var hasLeft = false
    /// Each time a room's socket has said its handshake: where, and when that was heard.
    var handshakes: [(server: ServerProcess, at: Timestamp)] = []
    /// Somebody whom this person had blocked before either registered, or who had blocked this person.
    var enemy: Identifier?
    /// From then on, all that this person is told goes to a webhook too.
    var endpointSince: Timestamp?
    /// In the order in which the stream of events told it.
    var told: [Told] = []
    /// The room that was told last.
    var room: Identifier?
    /// The end of the slot was told.
    var isOver = false
    var cheers: Int64 = 0
    /// The part is over, but for hearing the news.
    var hasPlayed = false
    /// Answers that a person should never get.
    var surprises: [String] = []

    mutating func hear(_ notification: UserNotification) {
        told.append(Told(id: notification.id, type: notification.type))
        switch notification.data {
        case .roomOpened(let details), .roomChanged(let details): room = details.roomId
        case .sessionMissed, .sessionLapsed, .sessionCompleted: isOver = true
        case .unknown: break
        }
    }
}
