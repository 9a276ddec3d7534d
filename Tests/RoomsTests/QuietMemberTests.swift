import Contract
import Rooms
import Testing

@Suite("A member who wants no ales")
struct QuietMemberTests {
    /// A room for three. The last one is quiet.
    private func room() -> TestRoom {
        let room = TestRoom(members: 2)
        room.change { membership in
            var quiet = TestRoom.member(2)
            quiet.isQuiet = true
            membership.members.append(quiet)
        }
        return room
    }

    @Test("is sent none, in either version, while everything else goes on")
    func relay() {
        let room = room()
        let (first, second) = (room.enter(0), room.enter(1))
        let (quiet, old) = (room.enter(2), room.enter(2, .one))
        _ = first.takeMessages()
        first.cheer(in: TestRoom.id, messageId: "a")
        #expect(first.takeMessages().compactMap(\.acknowledgement) == [1])
        #expect(second.takeMessages().contains { $0.ale?.seq == 1 })
        #expect(quiet.takeMessages().isEmpty && old.takeMessages().isEmpty)
        // The others hear of it, and it hears of them.
        quiet.cheer(in: TestRoom.id)
        #expect(first.takeMessages().compactMap { $0.ale?.from } == [TestRoom.registration(2)])
        second.leave()
        #expect(
            quiet.takeMessages() == [.presence(member: TestRoom.registration(1), present: false)])
    }

    @Test("is shown as quiet to all members, and no other one is")
    func members() throws {
        let room = room()
        let device = RecordingSink()
        _ = room.join(0, device)
        let handshake = try #require(device.takeMessages().first?.handshake)
        #expect(handshake.members.map(\.quiet) == [nil, nil, true])
    }

    @Test("comes back to no ales, and is told that nothing is missing")
    func recovery() throws {
        let room = room()
        let quiet = RecordingSink()
        _ = room.join(2, quiet)
        let epoch = try #require(quiet.takeMessages().first?.handshake).epoch
        quiet.leave()
        room.enter(0).cheer(in: TestRoom.id)
        let again = RecordingSink()
        _ = room.join(2, again, position: RoomHost.Position(epoch: epoch, since: 0))
        let messages = again.takeMessages()
        let handshake = try #require(messages.first?.handshake)
        #expect(handshake.recovered && handshake.seq == 1)
        #expect(messages.compactMap(\.ale).isEmpty)
    }

    @Test("has received none, and has sent its own")
    func counts() {
        let room = room()
        let (first, quiet) = (room.enter(0), room.enter(2))
        first.cheer(in: TestRoom.id)
        quiet.cheer(in: TestRoom.id)
        quiet.leave()
        first.cheer(in: TestRoom.id)
        let counts = room.host.takeCounts().flatMap(\.members)
        let byMember = Dictionary(counts.map { ($0.registration, $0) }) { one, _ in one }
        #expect(byMember[TestRoom.registration(0)]?.sent == 2)
        #expect(byMember[TestRoom.registration(0)]?.received == 1)
        #expect(byMember[TestRoom.registration(2)]?.sent == 1)
        #expect(byMember[TestRoom.registration(2)]?.received == 0)
    }

    @Test("hears that the room has closed")
    func closing() {
        let room = room()
        let quiet = room.enter(2)
        room.clock.advance(.seconds(1860))
        _ = room.host.closeEnded(at: room.clock.now)
        #expect(quiet.takeMessages() == [.roomClosed])
        #expect(quiet.closed == .roomClosed)
    }
}
