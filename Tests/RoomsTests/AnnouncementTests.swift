import Contract
import Rooms
import Testing

@Suite("An announcement in a room")
struct AnnouncementTests {
    private static let now = Timestamp(seconds: 1_000)
    private static let message = ServerMessage.announcement(text: "Hello", at: now)

    @Test("is told to every device of version 2, and version 1 hears nothing")
    func allPeople() {
        let room = TestRoom(members: 2)
        let (one, other, old) = (room.enter(0), room.enter(1), room.enter(1, .one))
        _ = [one, other, old].map { $0.takeMessages() }
        room.host.announce("Hello", at: Self.now, in: room.host.openRooms, to: nil)
        #expect(one.takeMessages() == [Self.message] && other.takeMessages() == [Self.message])
        #expect(old.frames.isEmpty)
        room.host.announce("Hello", at: Self.now, in: [room.membership.room], to: nil)
        #expect(one.takeMessages() == [Self.message])
    }

    @Test("for other rooms, or for another person, is not heard here")
    func others() {
        let room = TestRoom(members: 2)
        let (one, other) = (room.enter(0), room.enter(1))
        _ = [one, other].map { $0.takeMessages() }
        room.host.announce("Hello", at: Self.now, in: [Identifier(value: 77)], to: nil)
        room.host.announce("Hello", at: Self.now, in: [], to: nil)
        #expect(one.takeMessages() == [] && other.takeMessages() == [])
        room.host.announce("Hello", at: Self.now, in: room.host.openRooms, to: TestRoom.user(1))
        #expect(one.takeMessages() == [] && other.takeMessages() == [Self.message])
    }
}
