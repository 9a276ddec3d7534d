import Contract

/// What one person of a siege has asked for, been promised and been told.
struct BesiegedLedger: Sendable {
    struct Told: Equatable, Sendable {
        let id: Int64
        let type: String
    }

    /// Answered with 201, or found to be there after the answer was lost.
    var registration: UUID?
    /// When that was known.
    var acknowledgedAt: Timestamp?
    var hasTriedToCancel = false
    var isCancelled = false
    var hasTriedToLeave = false
    /// From then on, all that this person is told goes to a webhook too.
    var endpointSince: Timestamp?
    /// In the order in which the stream of events told it.
    var told: [Told] = []
    /// The room that was told last.
    var room: UUID?
    /// The end of the slot was told.
    var isOver = false
    var cheers: Int64 = 0
    /// The part is over, but for hearing the news.
    var hasPlayed = false
    /// Answers that a person should never get.
    var surprises: [String] = []

    mutating func hear(_ notification: Notification) {
        told.append(Told(id: notification.id, type: notification.type))
        switch notification.data {
        case .roomOpened(let news), .roomChanged(let news): room = news.roomId
        case .sessionMissed, .sessionLapsed, .sessionCompleted: isOver = true
        case .unknown: break
        }
    }
}
