import Contract
import Testing

@testable import Rooms

@Suite("A member's status")
struct StatusTests {
    private static let ready = #"{"type":"status","status":"ready"}"#
    private static let gettingReady = #"{"type":"status","status":"getting-ready"}"#
    private static let none = #"{"type":"status","status":null}"#

    private func message(_ status: MemberStatus?) -> [ServerMessage] {
        [.status(member: TestRoom.registration(0), status: status)]
    }

    /// Returns the statuses of the members, as a newcomer finds them.
    private func found(in room: TestRoom, by number: Int = 1) throws -> [MemberStatus?] {
        let device = RecordingSink()
        _ = room.join(number, device)
        let handshake = try #require(device.takeMessages().first?.handshake)
        device.leave()
        return handshake.members.map(\.status?.known)
    }

    @Test("is told to all devices of version 2, the member's own too, and version 1 hears nothing")
    func told() {
        let room = TestRoom(members: 2)
        let (mine, tablet, partner) = (room.enter(0), room.enter(0), room.enter(1))
        let old = [room.enter(0, .one), room.enter(1, .one)]
        for device in [mine, tablet, partner] { _ = device.takeMessages() }
        for (text, status) in [(Self.gettingReady, .gettingReady), (Self.ready, .ready), (Self.none, nil)]
            as [(String, MemberStatus?)]
        {
            mine.say(text)
            for device in [mine, tablet, partner] { #expect(device.takeMessages() == message(status)) }
        }
        #expect(old.map(\.frames.count) == [0, 0])
    }

    @Test("that is not new is confirmed to its sender only")
    func repeated() {
        let room = TestRoom(members: 2)
        let (mine, partner) = (room.enter(0), room.enter(1))
        mine.say(Self.ready)
        for device in [mine, partner] { _ = device.takeMessages() }
        mine.say(Self.ready)
        #expect(mine.takeMessages() == message(.ready) && partner.takeMessages() == [])
    }

    @Test("of version 1 is an unknown message, as ever: counted, dropped, and not relayed")
    func version1() throws {
        let room = TestRoom(members: 2)
        let (old, partner) = (room.enter(0, .one), room.enter(1))
        old.say(Self.ready)
        #expect(old.frames.isEmpty && partner.takeMessages() == [])
        #expect(room.host.currentStatistics.unknownType == 1)
        #expect(try found(in: room) == [nil, nil])
    }

    @Test("that is no word of the set is malformed, and changes nothing")
    func malformed() throws {
        let room = TestRoom(members: 2)
        let (mine, partner) = (room.enter(0), room.enter(1))
        mine.say(Self.ready)
        for device in [mine, partner] { _ = device.takeMessages() }
        mine.say(#"{"type":"status","status":"busy"}"#)
        #expect(mine.takeMessages().map(\.errorCode) == ["malformed"] && partner.takeMessages() == [])
        #expect(room.host.currentStatistics.malformed == 1)
        #expect(try found(in: room) == [.ready, nil])
    }

    @Test("has its place in the rate of the ales, and a dropped one is not kept")
    func rate() throws {
        let room = TestRoom(members: 2) { $0.alesPerSecond = 1 }
        let mine = room.enter(0)
        mine.cheer(in: TestRoom.id)
        mine.say(Self.gettingReady)
        _ = mine.takeMessages()
        mine.say(#"{"type":"status","status":"ready","messageId":"m"}"#)
        let code = SocketErrorCode.rateLimited
        #expect(
            mine.takeMessages() == [.error(code: code.rawValue, detail: code.detail, messageId: "m")])
        #expect(try found(in: room) == [.gettingReady, nil])
        _ = mine.takeMessages()
        room.clock.advance(.seconds(1))
        mine.say(Self.ready)
        #expect(mine.takeMessages() == message(.ready))
    }

    @Test("is found by later devices, also when the member has gone, and by those that hear of the match")
    func late() throws {
        let room = TestRoom(members: 2)
        let mine = room.enter(0)
        mine.say(Self.ready)
        mine.leave()
        #expect(try found(in: room) == [.ready, nil])
        #expect(room.host.snapshot(of: TestRoom.id)?.statuses == [TestRoom.registration(0): .ready])
        let partner = room.enter(1)
        room.change { $0.members.append(TestRoom.member(2)) }
        guard case .members(let members)? = partner.takeMessages().last else {
            Issue.record("no members")
            return
        }
        #expect(members.map(\.status?.known) == [.ready, nil, nil])
    }

    @Test("ends when the member leaves the match, also for one who comes back")
    func left() throws {
        let room = TestRoom(members: 2)
        room.enter(0).say(Self.ready)
        room.change { $0.members.removeFirst() }
        room.change { $0.members.append(TestRoom.member(0)) }
        #expect(try found(in: room) == [nil, nil])
    }

    @Test("outlives the process, present or away, taken back or not")
    func restored() throws {
        for (isPresent, text, status) in [
            (true, Self.ready, .ready), (false, Self.gettingReady, .gettingReady), (true, Self.none, nil),
            (false, Self.none, nil),
        ] as [(Bool, String, MemberStatus?)] {
            let storage = MemoryRoomStorage()
            let room = TestRoom(members: 2, storage: storage)
            let mine = room.enter(0)
            mine.say(Self.gettingReady)
            mine.say(text)
            room.enter(1).cheer(in: TestRoom.id)
            if !isPresent { mine.leave() }
            let saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
            storage.keep(saved.flatMap(\.usedBlocks))
            let next = TestRoom(members: 2, storage: storage, saved: saved)
            #expect(try found(in: next) == [status, nil])
        }
    }

    @Test("goes along with a room that is handed over, and ends with one that is taken over")
    func handedOver() throws {
        let old = TestRoom(members: 2, storage: MemoryRoomStorage(), owner: TestRoom.me, term: 1)
        let (mine, partner) = (old.enter(0), old.enter(1))
        mine.say(Self.ready)
        partner.say(Self.gettingReady)
        partner.leave()
        let leaving = old.host.leave(devices: 100, rooms: 10, except: []).rooms
        let layout = RoomLogLayout()
        let saved = try #require(
            RoomTransfer.read(RoomTransfer.encode(leaving, layout), layout, now: TestRoom.opens))
        let new = TestRoom(members: 2, storage: MemoryRoomStorage(), owner: TestRoom.other, term: 1)
        #expect(new.host.keep(try #require(saved.first)))
        var membership = new.membership
        (membership.owner, membership.term) = (TestRoom.me, 2)
        new.host.apply(membership)
        #expect(try found(in: new) == [.ready, .gettingReady])
        // The next owner knows nothing of it.
        let taken = TestRoom(members: 2, owner: TestRoom.me, term: 3)
        #expect(try found(in: taken) == [nil, nil])
    }
}

@Suite("Where a sender is, as a word")
struct WhereaboutsTests {
    @Test("survives being written")
    func roundTrip() {
        for status in MemberStatus.allCases + [nil] {
            for place in [.here(status), .away(since: 0, status), .away(since: 1 << 53, status)]
                as [Whereabouts]
            {
                #expect(Whereabouts(word: place.word) == place)
            }
        }
        #expect(Whereabouts(word: 0) == .unknown && Whereabouts.unknown.word == 0)
    }

    @Test("without a status is the word of the previous version, and with one it means to that: here")
    func previousVersion() {
        #expect(Whereabouts.here(nil).word == .max && Whereabouts.away(since: 6, nil).word == 7)
        #expect(Whereabouts(word: .max) == .here(nil) && Whereabouts(word: 7) == .away(since: 6, nil))
        for status in MemberStatus.allCases {
            for place in [.here(status), .away(since: 0, status)] as [Whereabouts] {
                // The previous version takes whatever is above the last ale for one who is here.
                #expect(place.word > UInt64(1) << 53)
            }
        }
    }

    @Test("any word can be read")
    func anything() {
        for word: UInt64 in [1, 1 << 56, 3 << 56 | 5, 0xFF << 56 | 1, .max - 1] {
            let place = Whereabouts(word: word)
            #expect((0...9).contains(place.awaySince(last: 9)), "\(word)")
        }
        #expect(Whereabouts(word: 3 << 56 | 5).status == nil)
    }
}
