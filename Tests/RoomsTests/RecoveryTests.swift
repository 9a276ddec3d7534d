import Contract
import Rooms
import Testing

@Suite("Coming back to a room")
struct RecoveryTests {
    private func epoch(_ room: TestRoom, _ number: Int) throws -> String {
        let device = RecordingSink()
        _ = room.join(number, device)
        let handshake = try #require(device.takeMessages().first?.handshake)
        device.leave()
        return handshake.epoch
    }

    /// Has a member come back; returns whether it was recovered, and the numbers of the missed ales.
    private func comeBack(_ room: TestRoom, _ number: Int, _ epoch: String, since: Int64) throws -> (
        Bool, [Int64]
    ) {
        let device = RecordingSink()
        _ = room.join(number, device, position: RoomHost.Position(epoch: epoch, since: since))
        let messages = device.takeMessages()
        let handshake = try #require(messages.first?.handshake)
        device.leave()
        return (handshake.recovered, messages.compactMap { $0.ale?.seq })
    }

    @Test("brings the ales of the others after the last that was seen, in order, once")
    func recovered() throws {
        let room = TestRoom(members: 3)
        let epoch = try epoch(room, 0)
        let (first, second) = (room.enter(0), room.enter(1))
        for number in 0..<10 { (number % 3 == 0 ? first : second).cheer(in: TestRoom.id) }
        let (isRecovered, numbers) = try comeBack(room, 0, epoch, since: 2)
        #expect(isRecovered)
        #expect(numbers == [3, 5, 6, 8, 9])
        #expect(try comeBack(room, 2, epoch, since: 0).1 == Array(1...10))
        #expect(try comeBack(room, 2, epoch, since: 10) == (true, []))
    }

    @Test("of one who has left the room the ales are still there")
    func departedSender() throws {
        let room = TestRoom(members: 2)
        let epoch = try epoch(room, 0)
        room.enter(1).cheer(in: TestRoom.id)
        room.change { $0.members.removeLast() }
        let device = RecordingSink()
        _ = room.join(0, device, position: RoomHost.Position(epoch: epoch, since: 0))
        #expect(device.takeMessages().compactMap { $0.ale?.from } == [TestRoom.registration(1)])
    }

    @Test("brings no ales of their own to a member who left the match and came back to it")
    func rejoined() throws {
        let room = TestRoom(members: 2)
        let epoch = try epoch(room, 1)
        room.enter(0).cheer(in: TestRoom.id)
        room.enter(1).cheer(in: TestRoom.id)
        room.change { $0.members.removeLast() }
        room.change { $0.members.append(TestRoom.member(1)) }
        #expect(try comeBack(room, 1, epoch, since: 0) == (true, [1]))
    }

    @Test(
        "starts again where the log does not reach back, or the position is of another run",
        arguments: [
            (5 as Int64, true), (4, false), (0, false), (9, true), (10, false), (-1, false), (.max, false),
            (.min, false),
        ])
    func reach(since: Int64, isRecovered: Bool) throws {
        let room = TestRoom(members: 2) { $0.log.ales = 4 }
        let epoch = try epoch(room, 0)
        let sender = room.enter(1)
        for _ in 0..<9 { sender.cheer(in: TestRoom.id) }
        let answer = try comeBack(room, 0, epoch, since: since)
        #expect(answer.0 == isRecovered)
        #expect(answer.1 == (isRecovered ? (1...9).filter { $0 > since } : []))
        #expect(try comeBack(room, 0, epoch + "x", since: since) == (false, []))
    }

    @Test("counts what it brings as received, each ale once, whichever device and however often")
    func counts() throws {
        let room = TestRoom(members: 2)
        let epoch = try epoch(room, 0)
        let sender = room.enter(1)
        func cheer(_ count: Int) { for _ in 0..<count { sender.cheer(in: TestRoom.id) } }
        func received() -> Int64 {
            let members = room.host.takeCounts().flatMap(\.members)
            return members.first { $0.registration == TestRoom.registration(0) }?.received ?? 0
        }
        cheer(5)
        // No device is there to hear them, and they do not count for a member who never comes back.
        #expect(received() == 0)
        #expect(try comeBack(room, 0, epoch, since: 3) == (true, [4, 5]))
        #expect(received() == 2)
        // The answer was lost on the way.
        #expect(try comeBack(room, 0, epoch, since: 3) == (true, [4, 5]))
        #expect(received() == 0)
        let phone = room.enter(0)
        cheer(2)
        // Another device of the member has heard fewer ales.
        #expect(try comeBack(room, 0, epoch, since: 1) == (true, [2, 3, 4, 5, 6, 7]))
        #expect(received() == 4)
        phone.leave()
        cheer(1)
        #expect(try comeBack(room, 0, epoch, since: 7) == (true, [8]))
        #expect(received() == 1)
    }

    @Test("counts nothing for a device that was gone before it could be told")
    func gone() throws {
        let room = TestRoom(members: 2)
        let epoch = try epoch(room, 0)
        room.enter(1).cheer(in: TestRoom.id)
        _ = room.host.takeCounts()
        let device = RecordingSink()
        device.isOpen = false
        #expect(room.join(0, device, position: RoomHost.Position(epoch: epoch, since: 0)) == .gone)
        #expect(room.host.takeCounts().isEmpty)
    }
}
