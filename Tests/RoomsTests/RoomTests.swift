import Contract
import Rooms
import Testing

@Suite("A room")
struct RoomTests {
    @Test("brings an ale to every device of the others, and to none of the sender's")
    func ale() {
        let room = TestRoom(members: 3)
        let sender = [room.enter(0), room.enter(0, .one)]
        let others = [room.enter(1), room.enter(1, .one), room.enter(2)]
        for device in sender + others { _ = device.takeMessages() }
        sender[0].cheer(in: TestRoom.id)
        #expect(sender.allSatisfy { $0.takeMessages().isEmpty })
        let expected = ServerMessage.Ale(from: TestRoom.registration(0), seq: 1, at: room.clock.now)
        #expect(others[0].takeMessages() == [.aleResponse(expected)])
        #expect(others[1].takeMessages() == [.aleResponse(nil)])
        #expect(others[2].takeMessages() == [.aleResponse(expected)])
    }

    @Test("greets version 1 with a constant, and version 2 with who is there")
    func greeting() throws {
        let room = TestRoom(members: 2)
        let old = RecordingSink(.one)
        #expect(room.join(0, old) == nil)
        #expect(old.takeMessages() == [.handshake(nil)])
        let device = RecordingSink()
        #expect(room.join(1, device) == nil)
        let handshake = try #require(device.takeMessages().first?.handshake)
        #expect(handshake.you == TestRoom.registration(1))
        #expect(handshake.seq == 0 && !handshake.recovered)
        #expect(handshake.members.map(\.present) == [true, true])
        #expect(handshake.members.map(\.you) == [false, true])
    }

    @Test("acknowledges a repeated message id with its first number, and does not relay it again")
    func deduplication() {
        let room = TestRoom(members: 2)
        let (sender, second, other) = (room.enter(0), room.enter(0), room.enter(1))
        _ = [sender, second].map { $0.takeMessages() }
        sender.cheer(in: TestRoom.id, messageId: "a")
        sender.cheer(in: TestRoom.id, messageId: "b")
        second.cheer(in: TestRoom.id, messageId: "a")
        #expect(sender.takeMessages().compactMap(\.acknowledgement) == [1, 2])
        #expect(second.takeMessages().compactMap(\.acknowledgement) == [1])
        #expect(other.takeMessages().compactMap { $0.ale?.seq } == [1, 2])
        // The same id of another member is another ale.
        other.cheer(in: TestRoom.id, messageId: "a")
        #expect(other.takeMessages().compactMap(\.acknowledgement) == [3])
        #expect(room.host.currentStatistics.repeated == 1)
    }

    @Test("forgets the oldest message ids beyond the limit")
    func forgetting() {
        let room = TestRoom(members: 1) { $0.log.messageIds = 2 }
        let device = room.enter(0)
        for id in ["a", "b", "c", "a", "c"] { device.cheer(in: TestRoom.id, messageId: id) }
        #expect(device.takeMessages().compactMap(\.acknowledgement) == [1, 2, 3, 4, 3])
    }

    @Test("answers a ping in version 2, and counts it as an unknown message in version 1")
    func ping() {
        let room = TestRoom(members: 2)
        let (mine, tablet, partner, old) = (room.enter(0), room.enter(0), room.enter(1), room.enter(1, .one))
        for device in [mine, tablet, partner, old] { _ = device.takeMessages() }
        mine.say(#"{"type":"ping"}"#)
        #expect(mine.takeMessages() == [.unknown(type: "pong")])
        for device in [tablet, partner, old] { #expect(device.frames.isEmpty) }
        #expect(room.host.currentStatistics.unknownType == 0)
        old.say(#"{"type":"ping"}"#)
        for device in [mine, tablet, partner, old] { #expect(device.frames.isEmpty) }
        #expect(room.host.currentStatistics.unknownType == 1)
    }

    @Test("says why it dropped a message in version 2, and nothing in version 1")
    func dropped() {
        let room = TestRoom(members: 2)
        for version in [SocketVersion.one, .two] {
            let device = room.enter(0, version)
            device.say("no JSON")
            device.say(#"{"type":"weather"}"#)
            device.cheer(in: Identifier(value: 9))
            let codes = device.takeMessages().map(\.errorCode)
            #expect(codes == (version == .one ? [] : ["malformed", "unknownType", "wrongRoom"]))
            #expect(device.closed == nil)
            device.leave()
        }
        let statistics = room.host.currentStatistics
        #expect([statistics.malformed, statistics.unknownType, statistics.wrongRoom] == [2, 2, 2])
        // An ale may leave the room out in version 2 only.
        let (old, new) = (room.enter(0, .one), room.enter(1))
        _ = new.takeMessages()
        old.say(#"{"type":"ale"}"#)
        #expect(new.takeMessages().isEmpty)
        new.say(#"{"type":"ale"}"#)
        #expect(old.takeMessages() == [.aleResponse(nil)])
    }

    @Test("takes as many ales as the rate allows, and a burst of twice as many")
    func rate() {
        let room = TestRoom(members: 2) { $0.alesPerSecond = 5 }
        let (sender, other) = (room.enter(0), room.enter(1))
        _ = sender.takeMessages()
        for _ in 0..<12 { sender.cheer(in: TestRoom.id) }
        #expect(other.takeMessages().count == 10)
        #expect(sender.takeMessages().map(\.errorCode) == ["rateLimited", "rateLimited"])
        room.clock.advance(.milliseconds(200))
        for _ in 0..<3 { sender.cheer(in: TestRoom.id) }
        #expect(other.takeMessages().count == 1)
        // A clock that is set back refills nothing, and a long rest refills one burst.
        room.clock.advance(.seconds(-10))
        sender.cheer(in: TestRoom.id)
        #expect(other.takeMessages().isEmpty)
        room.clock.advance(.seconds(100))
        for _ in 0..<12 { sender.cheer(in: TestRoom.id) }
        #expect(other.takeMessages().count == 10)
    }

    @Test("tells of the first device that comes and of the last that goes")
    func presence() {
        let room = TestRoom(members: 2)
        let watcher = room.enter(0)
        let (first, second) = (room.enter(1), room.enter(1))
        #expect(watcher.takeMessages() == [.presence(member: TestRoom.registration(1), present: true)])
        first.leave()
        #expect(watcher.takeMessages().isEmpty)
        second.leave()
        second.leave()
        #expect(watcher.takeMessages() == [.presence(member: TestRoom.registration(1), present: false)])
        _ = room.enter(1)
        #expect(room.journal.entered == [TestRoom.registration(0), TestRoom.registration(1)])
        #expect(room.journal.presence.map(\.present) == [true, true, false, true])
        #expect(room.host.snapshot(of: TestRoom.id)?.present.count == 2)
    }

    @Test("a device that has gone before its greeting is never announced")
    func goneAtOnce() {
        let room = TestRoom(members: 2)
        let watcher = room.enter(0)
        let device = RecordingSink()
        device.isOpen = false
        #expect(room.join(1, device) == .gone)
        #expect(device.frames.isEmpty)
        #expect(watcher.takeMessages().isEmpty)
        #expect(room.host.currentStatistics.devices == 1)
        #expect(room.journal.entered == [TestRoom.registration(0)])
    }

    @Test("of a full member only a device that has missed a ping gives way, with 4102")
    func silentDevice() {
        let room = TestRoom(members: 2) { $0.maximumDevices = 2 }
        let devices = [RecordingSink(), RecordingSink(), RecordingSink()]
        let watcher = RecordingSink()
        #expect(room.join(1, watcher) == nil)
        #expect(room.join(0, devices[0]) == nil && room.join(0, devices[1]) == nil)
        _ = watcher.takeMessages()
        #expect(room.join(0, devices[2]) == .tooManyDevices)
        devices[1].hasMissedPing = true
        #expect(room.join(0, devices[2]) == nil)
        #expect(devices.map(\.closed) == [nil, .heartbeatMissed, nil])
        #expect(RetryAfter.read(devices[1].reason ?? "") != nil)
        #expect(room.host.currentStatistics.devices == 3)
        // The member was present all the time.
        #expect(watcher.takeMessages().isEmpty)
        #expect(room.join(0, RecordingSink()) == .tooManyDevices)
    }

    @Test("lets in who belongs, as long as it may")
    func refusals() {
        let room = TestRoom(members: 1) { $0.maximumDevices = 2 }
        #expect(room.join(7, RecordingSink()) == .notAMember)
        #expect(room.join(0, RecordingSink(), tokenVersion: 0) == .staleToken)
        #expect(room.join(0, RecordingSink(), tokenVersion: 1) == nil)
        let second = RecordingSink()
        #expect(room.join(0, second) == nil)
        #expect(room.join(0, RecordingSink()) == .tooManyDevices)
        second.leave()
        #expect(room.join(0, RecordingSink()) == nil)
        #expect(room.join(0, RecordingSink(), in: Identifier(value: 9)) == .unknownRoom)
        room.clock.advance(.seconds(1860))
        #expect(room.join(0, RecordingSink()) == .closed)
        room.host.startDraining()
        #expect(room.join(0, RecordingSink()) == .draining)
    }

    @Test("says which of its refusals another server may have overtaken")
    func outdated() {
        let errors: [RoomHost.JoinError] = [
            .unknownRoom, .notAMember, .staleToken, .closed, .tooManyDevices, .draining, .gone,
        ]
        let outdated = errors.filter { $0.mayBeOutdated }
        #expect(outdated == [.unknownRoom, .notAMember, .staleToken])
    }

    @Test("has a wait for devices that come through another server, and for no others")
    func returning() throws {
        let room = TestRoom(members: 2)
        var entry = RoomHost.Entry(
            room: TestRoom.id, user: TestRoom.user(0), tokenVersion: 1, version: .two, position: nil)
        let direct = try room.host.join(entry, RecordingSink()).peer
        entry.isRelayed = true
        let relayed = try room.host.join(entry, RecordingSink()).peer
        #expect(direct.returnHint == nil)
        let hints = try (0..<100).map { _ in try #require(relayed.returnHint) }
        #expect(hints.allSatisfy { (.milliseconds(200)...(.seconds(5))).contains($0) }, "\(hints)")
        #expect(Set(hints).count > 10, "they differ")
    }
}
