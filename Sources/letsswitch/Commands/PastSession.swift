import Contract

/// A session that is over, as programs get it. Members that do not apply are left out.
struct PastSession: Encodable {
    let registrationId: Identifier
    let roomId: Identifier?
    let startsAt: Timestamp
    private(set) var endsAt: Timestamp?
    let state: RegistrationState
    private(set) var task: String?
    private(set) var tag: String?
    private(set) var outcome: Extensible<SessionOutcome>?
    private(set) var note: String?
    let partners: [Partner]?
    let alesSent: Int64?
    let alesReceived: Int64?

    /// Makes a session from the notification of its end; nil for any other notification.
    init?(_ data: NotificationData) {
        switch data {
        case .sessionCompleted(let summary):
            self.init(
                summary.registrationId, summary.roomId, summary.startsAt, .attended, summary.partners,
                summary.alesSent, summary.alesReceived)
        case .sessionMissed(let session):
            self.init(session.registrationId, session.roomId, session.startsAt, .missed)
        case .sessionLapsed(let session):
            self.init(session.registrationId, session.roomId, session.startsAt, .lapsed)
        case .roomOpened, .roomChanged, .slotPartnered, .slotAlone, .announcement, .unknown: return nil
        }
    }

    private init(
        _ registrationId: Identifier, _ roomId: Identifier?, _ startsAt: Timestamp,
        _ state: RegistrationState, _ partners: [Partner]? = nil, _ alesSent: Int64? = nil,
        _ alesReceived: Int64? = nil
    ) {
        (self.registrationId, self.roomId, self.startsAt) = (registrationId, roomId, startsAt)
        self.state = state
        (self.partners, self.alesSent, self.alesReceived) = (partners, alesSent, alesReceived)
    }

    /// Returns the session with what its registration says; nil: the registration is gone.
    func completed(by registration: Registration?) -> PastSession {
        guard let registration else { return self }
        var session = self
        session.endsAt = registration.slot.endsAt
        (session.task, session.tag) = (registration.task, registration.tag)
        (session.outcome, session.note) = (registration.outcome, registration.note)
        return session
    }
}

/// The output of `history`.
struct History: Encodable {
    /// The sums of the sessions that are shown. Lapsed registrations count for no absence, and are in none of
    /// them.
    struct Sums: Encodable {
        var attended = 0
        var missed = 0
        var secondsAttended: Int64 = 0
        var alesSent: Int64 = 0
        var alesReceived: Int64 = 0
    }

    let sessions: [PastSession]
    let sums: Sums

    init(sessions: [PastSession]) {
        self.sessions = sessions
        sums = sessions.reduce(into: Sums()) { sums, session in
            switch session.state {
            case .attended:
                sums.attended += 1
                sums.secondsAttended += session.endsAt?.since(session.startsAt).components.seconds ?? 0
            case .missed: sums.missed += 1
            case .registered, .matched, .cancelled, .lapsed: break
            }
            sums.alesSent += session.alesSent ?? 0
            sums.alesReceived += session.alesReceived ?? 0
        }
    }
}
