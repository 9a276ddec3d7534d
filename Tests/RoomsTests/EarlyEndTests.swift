import Contract
import Rooms
import Testing

@Suite("A room that an operator closes")
struct EarlyEndTests {
    @Test("ends for all devices as at its end, and is left by all members")
    func closed() {
        let room = TestRoom(members: 2, owner: TestRoom.me, term: 1)
        let (one, other, old) = (room.enter(0), room.enter(1), room.enter(1, .one))
        _ = [one, other].map { $0.takeMessages() }
        room.change { $0.isClosed = true }
        #expect(one.takeMessages() == [.roomClosed] && other.takeMessages() == [.roomClosed])
        for device in [one, other, old] { #expect(device.closed == .roomClosed) }
        #expect(room.host.openRooms.isEmpty && room.host.nextEnd == nil)
        #expect(room.host.currentStatistics.devices == 0)
        #expect(room.journal.presence.suffix(2).allSatisfy { !$0.present })
    }

    @Test("is not opened again by an older answer of the database, in any term")
    func overtaken() {
        let room = TestRoom(members: 2, owner: TestRoom.me, term: 1)
        let before = room.membership
        room.change { $0.isClosed = true }
        room.host.apply(before)
        #expect(room.host.openRooms.isEmpty)
        room.change {
            $0.isClosed = false
            $0.term = 7
        }
        #expect(room.host.openRooms.isEmpty)
        #expect(room.join(0, RecordingSink(.two)) == .unknownRoom)
    }

    @Test("is not opened where it was not open")
    func neverOpen() {
        let room = TestRoom(members: 2, owner: TestRoom.other, term: 1)
        let before = room.membership
        room.change {
            $0.isClosed = true
            $0.owner = TestRoom.me
            $0.term = 2
        }
        #expect(room.host.openRooms.isEmpty)
        room.host.apply(before)
        #expect(room.host.openRooms.isEmpty)
    }
}
