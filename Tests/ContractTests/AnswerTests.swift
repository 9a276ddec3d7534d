import Testing

@testable import Contract

struct AnswerTests {
    private let id = Identifier(value: 1)
    private let start = Timestamp(seconds: 1800)
    private var slot: SlotSpan { SlotSpan(startsAt: start, endsAt: Timestamp(seconds: 3600)) }

    @Test("a tag and a room that are not there are null, an adjustment is left out")
    func registration() throws {
        let registration = Registration(
            id: id, slot: slot, task: "a/b", tag: nil, state: .registered, roomId: nil, createdAt: start,
            updatedAt: start)
        let expected = #"""
            {"createdAt":"1970-01-01T00:30:00Z","id":"00000000-0000-0000-0000-000000000001","roomId":null,
            "slot":{"endsAt":"1970-01-01T01:00:00Z","startsAt":"1970-01-01T00:30:00Z"},"state":"registered",
            "tag":null,"task":"a/b","updatedAt":"1970-01-01T00:30:00Z"}
            """#
        #expect(try text(registration) == expected.split(separator: "\n").joined())
        try expectRoundTrip(registration)
        var adjusted = registration
        adjusted.adjusted = .known(.gap)
        #expect(try text(adjusted).contains(#""adjusted":"gap""#))
        try expectRoundTrip(RegistrationList(registrations: [adjusted], nextCursor: "c"))
        (adjusted.checkIn, adjusted.outcome, adjusted.note) = ("Ready", .known(.not), "n")
        #expect(try text(adjusted).contains(#""checkIn":"Ready""#))
        #expect(try text(adjusted).contains(#""note":"n","outcome":"not""#))
        try expectRoundTrip(adjusted)
    }

    @Test("a slot that is not the person's names no registration")
    func slots() throws {
        let view = SlotView(
            startsAt: start, endsAt: slot.endsAt, localTime: "1970-01-01T00:30", state: .waiting, others: 2)
        for name in ["registrationId", "task", "partners"] { #expect(try !text(view).contains(name)) }
        let own = SlotView(
            startsAt: start, endsAt: slot.endsAt, localTime: "1970-01-01T00:30", state: .open, others: 1,
            registrationId: id, roomId: id, task: "t",
            partners: [Partner(id: id, name: "n", task: nil, tag: nil, quiet: true)])
        try expectRoundTrip(own)
        #expect(try text(own).contains(#""task":"t""#) && !text(own).contains("closedBy"))
        let closed = SlotView(
            startsAt: start, endsAt: slot.endsAt, localTime: "1970-01-01T00:30", state: .closed, others: 1,
            registrationId: id, closedBy: .operator, task: "t", in: .german)
        try expectRoundTrip(closed)
        #expect(try text(closed).contains(#""closedBy":"operator""#))
        #expect(closed.message == "Das Team dieses Dienstes hat deinen Raum geschlossen.")
        let date = try #require(LocalDate("1970-01-01"))
        try expectRoundTrip(SlotList(date: date, timeZone: "UTC", slots: [view]))
    }

    @Test("a former user has neither task nor tag, and both are null")
    func room() throws {
        let member = Member(id: id, name: "former user", task: nil, tag: nil, you: false, present: false)
        let room = Room(
            id: id, slot: slot, opensAt: start, closesAt: slot.endsAt, socketUrl: "ws://x/socket?id=1",
            members: [member], ales: 3)
        #expect(try text(room).contains(#""tag":null,"task":null"#) && !text(room).contains("closedBy"))
        var closed = room
        closed.closedBy = .unknown("somebody-else")
        try expectRoundTrip(closed)
        try expectRoundTrip(RoomList(rooms: [room]))
        #expect([member].seen(by: id)[0].you)
    }

    @Test("a notification carries the members of its type and no others")
    func notifications() throws {
        let details = NotificationData.RoomDetails(
            registrationId: id, roomId: id, startsAt: start, closesAt: start, socketUrl: "u",
            partners: [Partner(id: id, name: "n", task: nil, tag: "g")])
        let summary = NotificationData.SessionSummary(
            registrationId: id, roomId: id, startsAt: start, alesSent: 1, alesReceived: 2, partners: [])
        let slotDetails = NotificationData.SlotDetails(
            registrationId: id, startsAt: start, endsAt: slot.endsAt)
        let missed = NotificationData.Session(registrationId: id, roomId: id, startsAt: start)
        let lapsed = NotificationData.Session(registrationId: id, startsAt: start)
        let all: [NotificationData] = [
            .roomOpened(details), .roomChanged(details), .sessionMissed(missed), .sessionLapsed(lapsed),
            .sessionCompleted(summary), .slotPartnered(slotDetails), .slotAlone(slotDetails),
            .announcement(NotificationData.Announced(text: "t")),
        ]
        #expect(all.map(\.roomId) == [id, id, id, nil, id, nil, nil, nil])
        let notifications = all.enumerated().map {
            UserNotification(id: Int64($0), createdAt: start, data: $1)
        }
        try expectRoundTrip(NotificationList(notifications: notifications))
        #expect(all.compactMap(\.type) == NotificationType.allCases)
        #expect(
            try text(notifications[3])
                == #"{"createdAt":"1970-01-01T00:30:00Z","data":{"registrationId":"\#(id)","#
                + #""startsAt":"1970-01-01T00:30:00Z"},"id":3,"type":"session.lapsed"}"#)
        #expect(
            try text(notifications[5])
                == #"{"createdAt":"1970-01-01T00:30:00Z","data":{"endsAt":"1970-01-01T01:00:00Z","#
                + #""registrationId":"\#(id)","startsAt":"1970-01-01T00:30:00Z"},"id":5,"#
                + #""type":"slot.partnered"}"#)
    }

    @Test(
        "a list of types is names between commas, each once",
        arguments: [
            ("slot.alone", [NotificationType.slotAlone]),
            ("slot.alone,room.opened,slot.alone", [.slotAlone, .roomOpened]),
            ("", nil), (",", nil), ("slot.alone,", nil), ("slot", nil), ("slot.*", nil), ("Slot.alone", nil),
            (" slot.alone", nil), ("slot.alone;room.opened", nil),
        ])
    func types(_ text: String, _ types: [NotificationType]?) {
        if let types { return #expect((try? NotificationType.list(text)) == types) }
        let error = #expect(throws: ValidationError.self) { try NotificationType.list(text) }
        for type in NotificationType.allCases {
            #expect(error?.detail.contains(type.rawValue) == true)
        }
    }

    @Test("lists of people, figures and explanations are read as they are written")
    func people() throws {
        let block = Block(registrationId: id, name: "n", createdAt: start)
        #expect(
            try text(block) == #"{"createdAt":"1970-01-01T00:30:00Z","name":"n","registrationId":"\#(id)"}"#)
        try expectRoundTrip(BlockList(blocks: [block], nextCursor: "c"))
        try expectRoundTrip(Block(registrationId: id, name: "n", createdAt: start, report: "r"))
        let favourite = Favourite(registrationId: id, name: "n", createdAt: start)
        try expectRoundTrip(FavouriteList(favourites: [favourite]))
        var stats = Stats(
            attended: 1, missed: 2, lateCancellations: 3, punctuality: nil, currentStreak: 4,
            longestStreak: 5, alesSent: 6, alesReceived: 7, partnersMet: 8)
        #expect(try !text(stats).contains("punctuality"))
        try expectRoundTrip(stats)
        stats.punctuality = Stats.Punctuality(medianSeconds: 9, meanSeconds: 10)
        try expectRoundTrip(stats)
        let reasons = MeetingReason.Kind.allCases.map { MeetingReason($0, "Why.", lastMetAt: start) }
        #expect(reasons.compactMap(\.kind) == MeetingReason.Kind.allCases)
        let member = ExplainedMember(id: id, name: "n", reasons: reasons)
        try expectRoundTrip(Explanation(roomId: id, message: "m", members: [member]))
    }

    @Test("a reason of an unknown kind is kept as such")
    func unknownReason() throws {
        let json = #"{"reason":"same-town","text":"You live in the same town."}"#
        let read = try JSON.decode(MeetingReason.self, from: Array(json.utf8))
        #expect(read.reason == "same-town")
        #expect(read.kind == nil)
    }

    @Test("a notification of an unknown type is kept as such")
    func unknownNotification() throws {
        let json = #"{"id":7,"type":"party","createdAt":"1970-01-01T00:30:00Z","data":{"x":1}}"#
        let read = try JSON.decode(UserNotification.self, from: Array(json.utf8))
        #expect(read == UserNotification(id: 7, createdAt: start, data: .unknown(type: "party")))
    }

    @Test(
        "a notification of a slot from a server that does not know the type has no data",
        arguments: [NotificationType.slotPartnered, .slotAlone, .announcement])
    func notificationOfEarlierServer(type: NotificationType) throws {
        let name = type.rawValue
        let json = #"{"id":7,"type":"\#(name)","createdAt":"1970-01-01T00:30:00Z","data":{}}"#
        let read = try JSON.decode(UserNotification.self, from: Array(json.utf8))
        #expect(read == UserNotification(id: 7, createdAt: start, data: .unknown(type: name)))
    }

    @Test("every problem has a page, a title, a status, a cause and a fix", arguments: ProblemName.allCases)
    func problems(name: ProblemName) throws {
        let problem = Problem(name, detail: "d", instance: "i")
        #expect(problem.name == name)
        #expect(problem.type == "/problems/\(name.rawValue)")
        #expect((400...599).contains(name.status))
        #expect(!name.title.description.isEmpty)
        #expect(name.cause.description.hasSuffix(".") && name.fix.description.hasSuffix("."))
        #expect(ProblemName(status: name.status).status == name.status)
        try expectRoundTrip(problem)
    }

    @Test("every state of a slot has something to say", arguments: SlotState.allCases, [0, 1, 2])
    func messages(state: SlotState, others: Int) {
        #expect(!state.message(others: others).description.isEmpty)
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSON.encode(value), as: UTF8.self)
    }

    private func expectRoundTrip<Value: Codable & Equatable>(_ value: Value) throws {
        #expect(try JSON.decode(Value.self, from: JSON.encode(value)) == value)
    }
}
