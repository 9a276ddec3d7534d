import Contract

/// An event of a join: a line for people, an object for programs.
struct JoinEvent: Encodable, Hashable, Sendable {
    var event: String
    var at: Timestamp
    /// The line for people; made safe already.
    var text: String
    var room: Identifier?
    var registration: Identifier?
    var member: Identifier?
    var name: String?
    var present: Bool?
    var checkIn: String?
    var outcome: SessionOutcome?
    var note: String?
    var status: MemberStatus?
    var seq: Int64?
    var messageId: String?
    var members: [Member]?
    var resumed: Bool?
    var startsAt: Timestamp?
    var closesAt: Timestamp?
    /// The code with which the server ended the connection.
    var code: Int?
    /// The code of the error for which the server dropped a message.
    var error: String?
    var detail: String?
    var waitMilliseconds: Int64?
    /// The number of events that were dropped because the output was too slow.
    var count: Int?

    private enum CodingKeys: String, CodingKey {
        case event, at, room, registration, member, name, present, seq, messageId, members, resumed, startsAt
        case closesAt, code, error, detail, waitMilliseconds, count, checkIn, outcome, note, status
    }

    init(_ event: String, at: Timestamp, _ text: Text) {
        self.event = event
        self.at = at
        self.text = text.local
    }

    /// Returns the event with its room, if it names none itself.
    func inRoom(_ room: Identifier?) -> JoinEvent {
        var joinEvent = self
        joinEvent.room = joinEvent.room ?? room
        return joinEvent
    }
}

extension Console {
    /// Prints an event on a line of its own.
    func tell(_ joinEvent: JoinEvent?) {
        guard let joinEvent else { return }
        json(joinEvent)
        line("\(LocalClock.timeWithSeconds(joinEvent.at)) \(joinEvent.text)")
    }
}
