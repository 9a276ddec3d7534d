import Contract
import Rooms
import Testing

@Suite("What a member says in a room")
struct SessionWordsTests {
    private static let all = SessionWords(checkIn: "Ready", outcome: .partly, note: "Half of it")

    /// Has the database answer with these words of a member.
    private func say(_ words: SessionWords, revision: Int32, as number: Int, in room: TestRoom) {
        room.membership.members[number].words = words
        room.membership.members[number].wordsRevision = revision
        room.host.apply(room.membership)
    }

    @Test("every device of version 2 hears it, the member's own too, and version 1 hears nothing")
    func heard() {
        let room = TestRoom(members: 2)
        let (own, partner, old) = (room.enter(1), room.enter(0), room.enter(0, .one))
        _ = [own, partner, old].map { $0.takeMessages() }
        let me = TestRoom.registration(1)
        say(SessionWords(checkIn: "Ready"), revision: 1, as: 1, in: room)
        say(Self.all, revision: 2, as: 1, in: room)
        let expected: [ServerMessage] = [
            .checkIn(member: me, checkIn: "Ready"),
            .outcome(member: me, outcome: .partly, note: "Half of it"),
        ]
        #expect(own.takeMessages() == expected)
        #expect(partner.takeMessages() == expected)
        #expect(old.frames.isEmpty)
    }

    @Test("each part is told when it changes, and what is taken back is told as null")
    func changes() {
        let room = TestRoom(members: 2)
        let partner = room.enter(0)
        let me = TestRoom.registration(1)
        say(Self.all, revision: 1, as: 1, in: room)
        _ = partner.takeMessages()
        var words = Self.all
        words.note = nil
        say(words, revision: 2, as: 1, in: room)
        #expect(partner.takeMessages() == [.outcome(member: me, outcome: .partly, note: nil)])
        // Nothing is left, whichever server wrote it since.
        say(words, revision: 3, as: 1, in: room)
        #expect(partner.takeMessages() == [])
        say(SessionWords(), revision: 4, as: 1, in: room)
        #expect(
            partner.takeMessages()
                == [.checkIn(member: me, checkIn: nil), .outcome(member: me, outcome: nil, note: nil)])
    }

    @Test("an answer of the database that comes late does not bring old words back")
    func overtaken() {
        let room = TestRoom(members: 2)
        let partner = room.enter(0)
        say(SessionWords(checkIn: "New"), revision: 2, as: 1, in: room)
        _ = partner.takeMessages()
        say(SessionWords(checkIn: "Old"), revision: 1, as: 1, in: room)
        #expect(partner.takeMessages() == [])
        guard case .handshake(let handshake?)? = greeting(1, in: room) else {
            Issue.record("no handshake")
            return
        }
        #expect(handshake.members.map(\.checkIn) == [nil, "New"])
    }

    @Test("a later device finds it in the list of members, and so does one that hears of the match")
    func late() {
        let room = TestRoom(members: 2)
        say(Self.all, revision: 1, as: 1, in: room)
        guard case .handshake(let handshake?)? = greeting(0, in: room) else {
            Issue.record("no handshake")
            return
        }
        #expect(handshake.members.map(\.words) == [SessionWords(), Self.all])
        let watcher = room.enter(0)
        _ = watcher.takeMessages()
        room.change { membership in
            var newcomer = TestRoom.member(2)
            newcomer.words = SessionWords(checkIn: "Here")
            newcomer.wordsRevision = 1
            membership.members.append(newcomer)
        }
        let messages = watcher.takeMessages()
        guard case .members(let members)? = messages.first, messages.count == 1 else {
            Issue.record("\(messages)")
            return
        }
        #expect(members.map(\.words) == [SessionWords(), Self.all, SessionWords(checkIn: "Here")])
    }

    private func greeting(_ number: Int, in room: TestRoom) -> ServerMessage? {
        let device = RecordingSink()
        _ = room.join(number, device)
        return device.takeMessages().first
    }
}
