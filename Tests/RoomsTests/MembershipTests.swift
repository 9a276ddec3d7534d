import Contract
import Rooms
import Testing

@Suite("A match that changes")
struct MembershipTests {
    @Test("those who stay hear who is in it, and who is moved hears where to")
    func moved() {
        let room = TestRoom(members: 2)
        let (stays, old, goes) = (room.enter(0), room.enter(1, .one), room.enter(1))
        _ = stays.takeMessages()
        let target = Identifier(value: 77)
        room.change { membership in
            membership.members.removeLast()
            membership.members.append(TestRoom.member(2))
            membership.moved = [TestRoom.registration(1): target]
        }
        #expect(
            goes.takeMessages() == [.moved(id: target, socketUrl: "ws://\(target)/\(TestRoom.user(1))/1")])
        #expect(goes.closed == .moved && old.closed == .moved)
        #expect(old.takeMessages().isEmpty)
        guard case .members(let members)? = stays.takeMessages().last else {
            Issue.record("no members")
            return
        }
        #expect(members.map(\.id) == [TestRoom.registration(0), TestRoom.registration(2)])
        #expect(members.map(\.you) == [true, false])
        #expect(members.map(\.present) == [true, false])
        #expect(room.host.currentStatistics.devices == 1)
    }

    @Test("present members are reported to the journal again on request")
    func reported() {
        let room = TestRoom(members: 3)
        let (stays, gone) = (room.enter(0), room.enter(1))
        gone.leave()
        #expect(stays.closed == nil)
        let before = room.journal.presence.count
        room.host.reportPresence()
        let after = room.journal.presence.dropFirst(before)
        #expect(after.map { $0.registration } == [TestRoom.registration(0)])
        #expect(after.allSatisfy { $0.present })
    }

    @Test("who no longer belongs is turned out, and what it did is still counted")
    func departed() {
        let room = TestRoom(members: 2)
        let (stays, goes) = (room.enter(0), room.enter(1))
        goes.cheer(in: TestRoom.id)
        stays.cheer(in: TestRoom.id)
        let peer = goes.peer
        room.change { $0.members.removeLast() }
        #expect(goes.closed == .notAllowed)
        // Messages in flight from a device that was turned out have no effect.
        peer?.received(Array(#"{"type":"ale"}"#.utf8).span.bytes, isText: true)
        peer?.closed()
        let counts = room.host.takeCounts()
        #expect(counts.map(\.ales) == [2])
        let members = counts.first?.members.sorted { $0.registration < $1.registration } ?? []
        #expect(members.map(\.sent) == [1, 1])
        #expect(members.map(\.received) == [1, 1])
        #expect(room.host.takeCounts().isEmpty)
        #expect(room.join(1, RecordingSink()) == .notAMember)
    }

    @Test("a new token closes what came in under the old one, and lets the ticket in no more")
    func newToken() {
        let room = TestRoom(members: 2)
        let (watcher, device) = (room.enter(0), room.enter(1))
        _ = watcher.takeMessages()
        room.membership.members[1].tokens = MemberTokens(main: 2)
        room.host.apply(room.membership)
        #expect(device.closed == .notAllowed)
        #expect(watcher.takeMessages() == [.presence(member: TestRoom.registration(1), present: false)])
        #expect(room.journal.presence.map(\.present) == [true, true, false])
        #expect(room.join(1, RecordingSink(), tokenVersion: 1) == .staleToken)
        #expect(room.join(1, RecordingSink(), tokenVersion: 2) == nil)
        // A membership that was read before the change does not undo it.
        room.membership.members[1].tokens = MemberTokens(main: 1)
        room.host.apply(room.membership)
        #expect(room.join(1, RecordingSink(), tokenVersion: 2) == nil)
    }

    @Test("a token that ends closes what came in under it, and nothing that came in under another")
    func oneOfSeveralTokens() {
        let room = TestRoom(members: 2)
        room.membership.members[1].tokens = MemberTokens(main: 1, made: 2, others: [-1, -2])
        room.host.apply(room.membership)
        let watcher = room.enter(0)
        let (main, first, second) = (RecordingSink(), RecordingSink(), RecordingSink())
        #expect(room.join(1, main, tokenVersion: 1) == nil)
        #expect(room.join(1, first, tokenVersion: -1) == nil)
        #expect(room.join(1, second, tokenVersion: -2) == nil)
        #expect(room.join(1, RecordingSink(), tokenVersion: -3) == .staleToken)
        _ = watcher.takeMessages()
        let before = room.membership
        room.membership.members[1].tokens = MemberTokens(main: 1, made: 2, others: [-2])
        room.host.apply(room.membership)
        #expect(first.closed == .notAllowed && main.closed == nil && second.closed == nil)
        // The member is still there.
        #expect(watcher.takeMessages().isEmpty)
        // An answer of the database that was overtaken brings no token back.
        room.host.apply(before)
        #expect(room.join(1, RecordingSink(), tokenVersion: -1) == .staleToken)
        room.membership.members[1].tokens = MemberTokens(main: 2, made: 3, others: [-2, -3])
        room.host.apply(room.membership)
        #expect(main.closed == .notAllowed && second.closed == nil)
        room.host.apply(before)
        #expect(room.join(1, RecordingSink(), tokenVersion: -3) == nil)
        room.membership.members[1].tokens = MemberTokens(main: 2, made: 3)
        room.host.apply(room.membership)
        #expect(second.closed == .notAllowed)
        #expect(watcher.takeMessages() == [.presence(member: TestRoom.registration(1), present: false)])
    }

    @Test("what comes in under a new token is not closed when the room hears that the old one has ended")
    func newTokenFirst() {
        let room = TestRoom(members: 2)
        let old = room.enter(1)
        // The room does not know the token yet: the membership is read again, and then the device joins.
        #expect(room.join(1, RecordingSink(), tokenVersion: 2) == .staleToken)
        room.membership.members[1].tokens = MemberTokens(main: 2)
        room.host.apply(room.membership)
        let new = RecordingSink()
        #expect(room.join(1, new, tokenVersion: 2) == nil)
        room.host.apply(room.membership)
        #expect(old.closed == .notAllowed)
        #expect(new.closed == nil)
    }

    @Test("what was read before a change that is known already changes nothing")
    func overtaken() {
        let room = TestRoom(members: 2)
        let stale = room.membership
        room.change { $0.members.append(TestRoom.member(2)) }
        let device = room.enter(2)
        room.host.apply(stale)
        #expect(device.closed == nil)
        #expect(device.takeMessages().isEmpty)
    }

    @Test("a former user is seen as one")
    func formerUser() {
        let room = TestRoom(members: 2)
        let watcher = room.enter(0)
        room.change { membership in
            membership.members[1].name = "former user"
            membership.members[1].task = nil
        }
        guard case .members(let members)? = watcher.takeMessages().last else {
            Issue.record("no members")
            return
        }
        #expect(members.last?.name == "former user")
        #expect(members.last?.task == nil)
    }

    @Test("a room whose time is over says so, closes all sockets, and gives its last counts")
    func ends() {
        let room = TestRoom(members: 2)
        let (old, new) = (room.enter(0, .one), room.enter(1))
        new.cheer(in: TestRoom.id)
        _ = [old, new].map { $0.takeMessages() }
        #expect(room.host.nextEnd == room.membership.closesAt)
        #expect(
            room.host.closeEnded(at: room.membership.closesAt.adding(.microseconds(-1))).map(\.ales) == [1])
        new.cheer(in: TestRoom.id)
        _ = old.takeMessages()
        #expect(room.host.closeEnded(at: room.membership.closesAt).map(\.ales) == [1])
        #expect(new.takeMessages() == [.roomClosed])
        #expect(old.takeMessages().isEmpty)
        #expect(old.closed == .roomClosed && new.closed == .roomClosed)
        #expect(room.host.nextEnd == nil)
        #expect(room.host.currentStatistics.devices == 0)
        room.clock.advance(.seconds(1860))
        room.host.apply(room.membership)
        #expect(room.host.snapshot(of: TestRoom.id) == nil)
        #expect(room.join(0, RecordingSink()) == .unknownRoom)
    }

    @Test("a server that stops closes all sockets, some at a time")
    func draining() {
        let room = TestRoom(members: 5)
        let devices = (0..<5).map { room.enter($0) }
        room.host.startDraining()
        var rounds = 0
        while room.host.closeDevices(.restarting, limit: 2, reason: { "retryAfterMs=1" }) { rounds += 1 }
        #expect(rounds == 2)
        #expect(devices.allSatisfy { $0.closed == .restarting })
    }

    @Test("and each device of a person with a hint of its own")
    func drainingDevices() {
        let room = TestRoom(members: 2)
        let devices = [room.enter(0), room.enter(0), room.enter(1), room.enter(0)]
        var number = 0
        func reason() -> String {
            number += 1
            return "\(number)"
        }
        while room.host.closeDevices(.restarting, limit: 1, reason: reason) {}
        #expect(Set(devices.compactMap(\.reason)) == ["1", "2", "3", "4"])
    }
}
