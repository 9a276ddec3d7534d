import Client
import Contract

/// The state of a join: the room, its members, and the ales so far. A value; the clock is the caller's.
struct JoinModel: Sendable {
    struct Ale: Hashable, Sendable {
        let at: Timestamp
        let name: String
    }

    /// The state of the connection by which a room is waited for.
    enum Link: Hashable, Sendable {
        case connecting
        case connected
        case interrupted(until: Timestamp)
    }

    enum Stage: Hashable, Sendable {
        case looking
        case waiting(Registration)
        case connecting
        case inRoom
        /// The connection is gone, and will be tried again at that instant.
        case interrupted(until: Timestamp)
        case closed
    }

    /// The maximum number of ales that are kept to be shown.
    static let keptAles = 100

    private(set) var stage = Stage.looking
    /// The state of the connection until there is a room.
    private(set) var link = Link.connecting
    private(set) var room: Identifier?
    private(set) var slot: SlotSpan?
    private(set) var startsAt: Timestamp?
    private(set) var closesAt: Timestamp?
    private(set) var members: [Member] = []
    private(set) var ales: [Ale] = []
    private(set) var received = 0
    private(set) var sent = 0
    private(set) var acknowledged = 0
    /// The latest text for the message line of the screen.
    private(set) var message = ""
    /// The time by which the server's clock is ahead of this machine's.
    private(set) var clockOffset = Duration.zero

    /// The health of the connection, and the round-trip time.
    var health = Health.healthy
    var roundTrip: Duration?
    /// Whether the screen explains the keys.
    var showsKeys = false

    var me: Member? { members.first(where: \.you) }
    var partners: [Member] { members.filter { !$0.you } }
    var unacknowledged: Int { max(0, sent - acknowledged) }

    /// The instant at which a lost connection is tried again; nil: it is not lost.
    var nextAttempt: Timestamp? {
        switch (stage, link) {
        case (.interrupted(let until), _), (.looking, .interrupted(let until)),
            (.waiting, .interrupted(let until)):
            until
        case (.looking, _), (.waiting, _), (.connecting, _), (.inRoom, _), (.closed, _): nil
        }
    }

    var isInterrupted: Bool { nextAttempt != nil }

    /// The instant at which the session begins that is waited for, or met in; nil: it is not known.
    var nextStart: Timestamp? {
        switch stage {
        case .waiting(let registration): registration.slot.startsAt
        case .connecting, .inRoom, .interrupted: startsAt
        case .looking, .closed: nil
        }
    }

    mutating func apply(_ wait: RoomFinder.Wait, at now: Timestamp) -> JoinEvent? {
        switch wait {
        case .connected:
            link = .connected
            message = ""
            return nil
        case .registered(let registration):
            return waiting(for: registration, at: now)
        case .interrupted(let reason, let wait):
            link = .interrupted(until: now.adding(wait))
            let joinEvent = Self.interrupted(reason.description, wait, now)
            message = SafeText.escape(reason.local)
            return joinEvent
        }
    }

    private mutating func waiting(for registration: Registration, at now: Timestamp) -> JoinEvent? {
        if stage == .waiting(registration) { return nil }
        stage = .waiting(registration)
        let (task, wait) = (SafeText.escape(registration.task), registration.slot.startsAt.since(now))
        var joinEvent = JoinEvent(
            "waiting", at: now,
            "waiting for \(LocalClock.span(registration.slot)): \(task), \(Countdown.words(wait))")
        joinEvent.registration = registration.id
        joinEvent.startsAt = registration.slot.startsAt
        return joinEvent
    }

    mutating func found(_ room: Room) {
        stage = .connecting
        self.room = room.id
        slot = room.slot
        startsAt = room.slot.startsAt
        closesAt = room.closesAt
        members = room.members
    }

    /// Counts an ale that is on its way.
    mutating func cheered() { sent += 1 }

    mutating func apply(_ event: RoomEvent, at now: Timestamp) -> JoinEvent? {
        let joinEvent =
            switch event {
            case .connected(let handshake, let isResumed): connected(handshake, isResumed, now)
            case .ale(let ale): heard(ale)
            case .acknowledged(let messageId, let seq): acked(messageId, seq, now)
            case .refused(let code, let detail, let messageId): refused(code, detail, messageId, now)
            case .givenUp(let messageId):
                refused("givenUp", local("it could not be sent in time"), messageId, now)
            case .presence(let member, let isPresent): presence(member, isPresent, now)
            case .checkIn(let member, let checkIn): checkedIn(member, checkIn, now)
            case .outcome(let member, let outcome, let note): ended(member, outcome, note, now)
            case .status(let member, let status): says(member, status, now)
            case .members(let members): changed(members, now)
            case .moved(let room): moved(room, now)
            case .announcement(let text, let at): announced(text, at)
            case .interrupted(let reason, let wait): interrupted(reason, wait, now)
            case .missed(let count): missed(count, now)
            case .closed(let reason): closed(reason, now)
            }
        if joinEvent.event != "ale" && joinEvent.event != "acked" { message = joinEvent.text }
        return joinEvent.inRoom(room)
    }

    /// The text that is printed when the screen is gone.
    var farewell: Text {
        let end: Text = stage == .closed ? "The room closed." : "You left."
        return room == nil ? end : "\(end) Ales: \(received) received, \(sent) sent."
    }

    /// The text after the farewell: what to do now that the room has closed.
    var suggestion: Text? {
        guard stage == .closed, let me, me.outcome == nil else { return nil }
        return "How did it go? letsswitch outcome done, or partly, or not"
    }

    /// Returns the name of a member, made safe for the terminal.
    func name(of member: Identifier) -> String {
        SafeText.escape(members.first { $0.id == member }?.name ?? local("a member"))
    }
}

extension JoinModel {
    private mutating func connected(
        _ handshake: ServerMessage.Handshake, _ isResumed: Bool, _ now: Timestamp
    ) -> JoinEvent {
        stage = .inRoom
        room = handshake.room
        startsAt = handshake.startsAt
        closesAt = handshake.closesAt
        slot = SlotSpan(startsAt: handshake.startsAt, endsAt: handshake.closesAt)
        members = handshake.members.seen(by: handshake.you)
        clockOffset = handshake.now.since(now)
        var joinEvent = JoinEvent(
            "connected", at: now, isResumed ? "back in the room" : "in the room, \(company)")
        joinEvent.room = handshake.room
        joinEvent.members = members
        joinEvent.resumed = isResumed
        joinEvent.startsAt = handshake.startsAt
        joinEvent.closesAt = handshake.closesAt
        return joinEvent
    }

    /// A text on the other members of the match.
    private var company: Text {
        if partners.isEmpty { return "alone so far" }
        let names = partners.map { partner in
            let task = partner.task.map { " (\(SafeText.escape($0)))" } ?? ""
            return SafeText.escape(partner.name) + task + (partner.present ? "" : local(", not here yet"))
                + (partner.quiet == true ? local(", quiet") : "")
                + (partner.status.map { ", \(SpokenWords.status($0))" } ?? "")
        }
        return "with \(names.joined(separator: "; "))"
    }

    private mutating func heard(_ ale: ServerMessage.Ale) -> JoinEvent {
        let (name, count) = (name(of: ale.from), Int(clamping: ale.count))
        received += count
        ales.append(Ale(at: ale.at, name: count == 1 ? name : local("\(name), \(count) times")))
        if ales.count > Self.keptAles { ales.removeFirst() }
        var joinEvent = event("ale", of: ale.from, at: ale.at) { name, _ in
            count == 1 ? "ale from \(name)" : "\(count) ales from \(name)"
        }
        if count > 1 { joinEvent.count = count }
        joinEvent.seq = ale.seq
        return joinEvent
    }

    private mutating func acked(_ messageId: String, _ seq: Int64, _ now: Timestamp) -> JoinEvent {
        acknowledged += 1
        var joinEvent = JoinEvent("acked", at: now, "your ale has arrived")
        joinEvent.messageId = messageId
        joinEvent.seq = seq
        return joinEvent
    }

    private mutating func refused(
        _ code: String, _ detail: String, _ messageId: String?, _ now: Timestamp
    ) -> JoinEvent {
        // Ales have a messageId.
        if messageId != nil { sent = max(acknowledged, sent - 1) }
        var joinEvent = JoinEvent("error", at: now, "not taken: \(Text(english: SafeText.escape(detail)))")
        joinEvent.error = code
        joinEvent.detail = detail
        joinEvent.messageId = messageId
        return joinEvent
    }

    private func announced(_ text: String, _ at: Timestamp) -> JoinEvent {
        var joinEvent = JoinEvent("announcement", at: at, "announcement: \(SafeText.escape(text))")
        joinEvent.note = text
        return joinEvent
    }

    private mutating func presence(_ member: Identifier, _ isPresent: Bool, _ now: Timestamp) -> JoinEvent {
        change(member) { $0.present = isPresent }
        var joinEvent = event("presence", of: member, at: now) { name, _ in
            isPresent ? "\(name) joined" : "\(name) left"
        }
        joinEvent.present = isPresent
        return joinEvent
    }

    private mutating func checkedIn(
        _ member: Identifier, _ checkIn: String?, _ now: Timestamp
    ) -> JoinEvent {
        change(member) { $0.checkIn = checkIn }
        var joinEvent = event("checkIn", of: member, at: now) { name, isMe in
            switch checkIn.map(SafeText.escape) {
            case let words?: isMe ? "you check in: \(words)" : "\(name) checks in: \(words)"
            case nil: isMe ? "you take the check-in back" : "\(name) takes the check-in back"
            }
        }
        joinEvent.checkIn = checkIn
        return joinEvent
    }

    private mutating func ended(
        _ member: Identifier, _ outcome: SessionOutcome?, _ note: String?, _ now: Timestamp
    ) -> JoinEvent {
        change(member) { ($0.outcome, $0.note) = (outcome.map { .known($0) }, note) }
        var joinEvent = event("outcome", of: member, at: now) { name, isMe in
            switch outcome.map({ SpokenWords.outcome(.known($0), note) }) {
            case let words?: isMe ? "you are \(words)" : "\(name) is \(words)"
            case nil: isMe ? "you take the outcome back" : "\(name) takes the outcome back"
            }
        }
        (joinEvent.outcome, joinEvent.note) = (outcome, note)
        return joinEvent
    }

    private mutating func says(
        _ member: Identifier, _ status: MemberStatus?, _ now: Timestamp
    ) -> JoinEvent {
        change(member) { $0.status = status.map { .known($0) } }
        var joinEvent = event("status", of: member, at: now) { name, isMe in
            switch status.map({ SpokenWords.status(.known($0)) }) {
            case let words?: isMe ? "you are \(words)" : "\(name) is \(words)"
            case nil: isMe ? "you take the status back" : "\(name) takes the status back"
            }
        }
        joinEvent.status = status
        return joinEvent
    }

    private mutating func change(_ member: Identifier, _ change: (inout Member) -> Void) {
        for index in members.indices where members[index].id == member { change(&members[index]) }
    }

    /// Creates an event of a member. The text is made from their name and whether it is the user.
    private func event(
        _ type: String, of member: Identifier, at now: Timestamp, text: (String, Bool) -> Text
    ) -> JoinEvent {
        var joinEvent = JoinEvent(type, at: now, text(name(of: member), member == me?.id))
        joinEvent.member = member
        joinEvent.name = members.first { $0.id == member }?.name
        return joinEvent
    }

    private mutating func changed(_ members: [Member], _ now: Timestamp) -> JoinEvent {
        let you = me?.id
        self.members = you.map { members.seen(by: $0) } ?? members
        var joinEvent = JoinEvent("members", at: now, "the match changed, \(company)")
        joinEvent.members = self.members
        return joinEvent
    }

    private mutating func moved(_ room: Identifier, _ now: Timestamp) -> JoinEvent {
        stage = .connecting
        let text: Text =
            room == self.room
            ? "your room goes on at another server" : "your match goes on in another room"
        self.room = room
        var joinEvent = JoinEvent("moved", at: now, text)
        joinEvent.room = room
        return joinEvent
    }

    private mutating func interrupted(_ reason: String, _ wait: Duration, _ now: Timestamp) -> JoinEvent {
        stage = .interrupted(until: now.adding(wait))
        return Self.interrupted(reason, wait, now)
    }

    private static func interrupted(_ reason: String, _ wait: Duration, _ now: Timestamp) -> JoinEvent {
        var joinEvent = JoinEvent("interrupted", at: now, "connection lost, again \(Countdown.words(wait))")
        joinEvent.detail = reason
        joinEvent.waitMilliseconds = Int64(wait / .milliseconds(1))
        return joinEvent
    }

    private func missed(_ count: Int, _ now: Timestamp) -> JoinEvent {
        let text: Text =
            count == 1
            ? "1 event came too fast to be shown" : "\(count) events came too fast to be shown"
        var joinEvent = JoinEvent("missed", at: now, text)
        joinEvent.count = count
        return joinEvent
    }

    private mutating func closed(_ reason: CloseReason, _ now: Timestamp) -> JoinEvent {
        stage = .closed
        switch reason {
        case .roomClosed, .left:
            var joinEvent = JoinEvent("closed", at: now, "the room closed")
            joinEvent.code = Int(RoomClose.roomClosed.rawValue)
            return joinEvent
        case .ended(let code, let reason):
            var joinEvent = JoinEvent("closed", at: now, "the connection was ended")
            joinEvent.code = Int(code)
            joinEvent.detail = reason
            return joinEvent
        case .refused(let error):
            var joinEvent = JoinEvent("closed", at: now, "not let in: \(SafeText.escape(error.text.local))")
            joinEvent.detail = error.detail
            return joinEvent
        }
    }
}
