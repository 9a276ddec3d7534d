import Contract
import Testing

@testable import Rooms

@Suite("A room with an owner")
struct RoomOwnerTests {
    @Test("is opened by its owner alone", arguments: [nil, TestRoom.other, TestRoom.me])
    func opened(owner: Identifier?) {
        let room = TestRoom(members: 1, owner: owner, term: 1) { $0.incarnation = TestRoom.me }
        let isHere = owner == TestRoom.me
        #expect(room.host.term(of: TestRoom.id) == (isHere ? 1 : nil))
        #expect(room.join(0, RecordingSink()) == (isHere ? nil : .unknownRoom))
        #expect(
            room.host.terms(of: [TestRoom.id, Identifier(value: 5)]) == (isHere ? [TestRoom.id: 1] : [:]))
        #expect(room.host.openRooms == (isHere ? [TestRoom.id] : []))
    }

    /// A room in which a member has cheered, with a device of each version.
    private struct Visited {
        let room: TestRoom
        let device: RecordingSink
        let old: RecordingSink
        let epoch: String

        init(storage: (any RoomStorage)? = nil) throws {
            room = TestRoom(members: 3, storage: storage, owner: TestRoom.me, term: 1) {
                $0.retryAfter = { .milliseconds(700) }
            }
            device = RecordingSink()
            _ = room.join(0, device)
            epoch = try #require(device.takeMessages().first?.handshake?.epoch)
            old = room.enter(1, .one)
            device.cheer(in: TestRoom.id)
            _ = (device.takeMessages(), old.takeMessages())
        }

        func checkGivenUp() {
            let url = "ws://\(TestRoom.id)/\(TestRoom.user(0))/1"
            #expect(device.takeMessages() == [.moved(id: TestRoom.id, socketUrl: url)])
            #expect(device.closed == .moved)
            #expect(old.takeMessages().isEmpty && old.closed == .restarting)
            #expect(old.reason == "retryAfterMs=700")
            #expect(room.host.term(of: TestRoom.id) == nil && room.host.currentStatistics.devices == 0)
            #expect(room.host.currentStatistics.rooms == 0 && room.host.nextEnd == nil)
        }

        /// Has the host read the room with another owner or term.
        func read(_ owner: Identifier, _ term: Int32) {
            var membership = room.membership
            (membership.owner, membership.term) = (owner, term)
            room.host.apply(membership)
        }
    }

    @Test("is given up where another server owns it: its devices are sent back, and its counts stay")
    func givenUp() throws {
        let storage = MemoryRoomStorage()
        let visited = try Visited(storage: storage)
        let before = visited.room.journal.presence.count
        let peer = visited.device.peer
        visited.read(TestRoom.other, 2)
        visited.checkGivenUp()
        let told = visited.room.journal.presence.dropFirst(before)
        #expect(told.map(\.registration) == [TestRoom.registration(0), TestRoom.registration(1)])
        #expect(told.allSatisfy { !$0.present })
        #expect(visited.room.journal.terms.allSatisfy { $0 == 1 })
        // An ale in flight is not taken, and so not acknowledged.
        peer?.received(Array(#"{"type":"ale"}"#.utf8).span.bytes, isText: true)
        peer?.closed()
        let counts = visited.room.host.takeCounts()
        #expect(counts.map(\.ales) == [1] && counts.first?.members.map(\.sent) == [1, 0])
        #expect(SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens).isEmpty)
        #expect(visited.room.host.takeCounts().isEmpty)
    }

    @Test("is not opened again by an answer of the database that was overtaken")
    func overtaken() throws {
        let visited = try Visited()
        visited.read(TestRoom.other, 2)
        visited.read(TestRoom.me, 1)
        #expect(visited.room.host.term(of: TestRoom.id) == nil)
        visited.read(TestRoom.me, 3)
        #expect(visited.room.host.term(of: TestRoom.id) == 3)
        visited.read(TestRoom.other, 2)
        #expect(visited.room.host.term(of: TestRoom.id) == 3)
    }

    @Test("is not opened by an overtaken answer where it was not open when another server took it")
    func overtakenUnopened() {
        let room = TestRoom(members: 1, owner: TestRoom.other, term: 2)
        var stale = room.membership
        (stale.owner, stale.term) = (TestRoom.me, 1)
        room.host.apply(stale)
        #expect(room.host.term(of: TestRoom.id) == nil)
        // It is forgotten with the room's end.
        room.clock.advance(.seconds(1860))
        _ = room.host.closeEnded(at: room.clock.now)
        #expect(room.host.leastTerms.count == 0)
    }

    @Test("starts again where it comes back to a server that had it before another one")
    func back() throws {
        let visited = try Visited()
        visited.read(TestRoom.me, 3)
        #expect(visited.device.closed == .moved && visited.old.closed == .restarting)
        let device = RecordingSink()
        _ = visited.room.join(0, device, position: RoomHost.Position(epoch: visited.epoch, since: 0))
        let handshake = try #require(device.takeMessages().first?.handshake)
        #expect(handshake.epoch != visited.epoch && !handshake.recovered && handshake.seq == 0)
    }

    @Test("is given up below a term", arguments: [nil, 1, 2] as [Int32?])
    func relinquished(term: Int32?) throws {
        let visited = try Visited()
        visited.room.host.relinquish(TestRoom.id, ifTermBelow: term)
        if term == 1 {
            #expect(visited.device.closed == nil && visited.room.host.term(of: TestRoom.id) == 1)
            return
        }
        visited.checkGivenUp()
        // Where no higher term is known, the row decides whether the room comes back.
        visited.read(TestRoom.me, 1)
        #expect(visited.room.host.term(of: TestRoom.id) == (term == nil ? 1 : nil))
    }

    @Test("goes on with its log only in the term in which it was claimed", arguments: [1, 2, 3] as [Int32])
    func restored(claimed: Int32) throws {
        let storage = MemoryRoomStorage()
        let epoch = try Visited(storage: storage).epoch
        var saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        #expect(saved.map(\.term) == [1])
        storage.keep(saved.flatMap(\.usedBlocks))
        saved[0].term = claimed
        let next = TestRoom(members: 3, storage: storage, saved: saved, owner: TestRoom.me, term: 2)
        let device = RecordingSink()
        _ = next.join(0, device, position: RoomHost.Position(epoch: epoch, since: 0))
        let handshake = try #require(device.takeMessages().first?.handshake)
        #expect(handshake.recovered == (claimed == 2) && (handshake.epoch == epoch) == (claimed == 2))
        let left = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        #expect(left.map(\.term) == [2])
    }

    @Test("keeps the term that was claimed where the process is killed before it opens the room")
    func killedBeforeOpening() throws {
        let storage = MemoryRoomStorage()
        _ = try Visited(storage: storage)
        var saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        saved[0].term = 2
        _ = TestRoom(members: 0, storage: storage, saved: saved, owner: TestRoom.other, term: 0)
        let left = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        #expect(left.map(\.term) == [2] && left.map(\.last) == [1])
    }

    @Test("that the previous version has saved is read with term 0, and the other way about")
    func previousVersion() throws {
        let storage = MemoryRoomStorage()
        _ = try Visited(storage: storage)
        let kept = SavedRoom.readAll(in: storage, .init(), now: TestRoom.opens)
        let block = try #require(kept.first?.blocks?.room)
        // The previous version looks at the kind of a room's block, and at nothing else in its tag.
        #expect(storage.load(RoomBlock.tag, of: block) >> 56 == RoomBlock.Kind.room.rawValue)
        storage.store(RoomBlock.Kind.room.rawValue << 56, at: RoomBlock.tag, of: block)
        let saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        #expect(saved.map(\.term) == [0] && saved.map(\.last) == [1])
    }
}
