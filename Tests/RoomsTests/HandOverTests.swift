import Codecs
import Contract
import Testing

@testable import Rooms

@Suite("A room that is handed to another server")
struct HandOverTests {
    /// A room of one server, and the host of another one that may get it.
    private struct Servers {
        let old: TestRoom
        let new: TestRoom
        let storage = MemoryRoomStorage()
        let newStorage = MemoryRoomStorage()
        let layout: RoomLogLayout

        init(members: Int = 3, _ layout: RoomLogLayout = RoomLogLayout()) {
            self.layout = layout
            old = TestRoom(members: members, storage: storage, owner: TestRoom.me, term: 1) {
                $0.log = layout
                $0.retryAfter = { .milliseconds(700) }
            }
            new = TestRoom(members: members, storage: newStorage, owner: TestRoom.other, term: 1) {
                $0.log = layout
            }
        }

        /// Has the room leave, and returns it as the other server reads it.
        func leave() throws -> (room: LeavingRoom, saved: SavedRoom) {
            let leaving = old.host.leave(devices: 100, rooms: 10, except: []).rooms
            let bytes = RoomTransfer.encode(leaving, layout)
            let saved = try #require(RoomTransfer.read(bytes, layout, now: TestRoom.opens))
            try #require(saved.count == 1 && leaving.count == 1)
            return (leaving[0], saved[0])
        }

        /// Has the other server read the room as its own, in that term.
        func open(_ term: Int32 = 2) {
            var membership = new.membership
            (membership.owner, membership.term) = (TestRoom.me, term)
            new.host.apply(membership)
        }
    }

    private func come(
        to room: TestRoom, _ number: Int, _ epoch: String, since: Int64
    ) throws -> (device: RecordingSink, handshake: ServerMessage.Handshake, ales: [Int64]) {
        let device = RecordingSink()
        let refusal = room.join(number, device, position: RoomHost.Position(epoch: epoch, since: since))
        #expect(refusal == nil)
        let messages = device.takeMessages()
        return (device, try #require(messages.first?.handshake), messages.compactMap { $0.ale?.seq })
    }

    @Test("goes on there with its log: nothing is lost, and an id is acknowledged as before")
    func goesOn() throws {
        let servers = Servers()
        let ada = RecordingSink()
        _ = servers.old.join(0, ada)
        let epoch = try #require(ada.takeMessages().first?.handshake?.epoch)
        let (bea, old) = (servers.old.enter(1), servers.old.enter(2, .one))
        for id in ["a", "b"] { ada.cheer(in: TestRoom.id, messageId: id) }
        bea.leave()
        ada.cheer(in: TestRoom.id, messageId: "c")
        let (leaving, saved) = try servers.leave()
        #expect(servers.new.host.keep(saved) && servers.new.host.arriving == [TestRoom.id])
        #expect(servers.new.join(0, RecordingSink()) == .unknownRoom, "it is not here before its row is read")
        servers.open()
        servers.old.host.left([leaving])
        for device in [ada, old] {
            #expect(device.closed == .restarting && device.reason == "retryAfterMs=700")
        }
        #expect(servers.old.host.term(of: TestRoom.id) == nil && servers.old.host.knows(TestRoom.id) == false)
        #expect(servers.old.host.takeCounts().map(\.ales) == [3])
        #expect(servers.old.host.currentStatistics.handedOver == 1)
        #expect(SavedRoom.readAll(in: servers.storage, servers.layout, now: TestRoom.opens).isEmpty)

        let (next, handshake, _) = try come(to: servers.new, 0, epoch, since: 3)
        #expect(handshake.recovered && handshake.epoch == epoch && handshake.seq == 3)
        let (other, _, missed) = try come(to: servers.new, 1, epoch, since: 2)
        #expect(missed == [3])
        next.cheer(in: TestRoom.id, messageId: "b")
        next.cheer(in: TestRoom.id, messageId: "d")
        #expect(next.takeMessages().compactMap(\.acknowledgement) == [2, 4])
        #expect(other.takeMessages().compactMap { $0.ale?.seq } == [4])
        // Ada has heard nothing new, Bea the ale that she missed and the new one.
        let counts = servers.new.host.takeCounts().flatMap(\.members)
        #expect(counts.map(\.sent) == [1, 0] && counts.map(\.received) == [0, 2])
        // It is in the storage of the new server, in its term.
        let kept = SavedRoom.readAll(in: servers.newStorage, servers.layout, now: TestRoom.opens)
        #expect(kept.map(\.term) == [2] && kept.map(\.last) == [4])
    }

    @Test(
        "brings all that is in its log and its memory, also where both are full", arguments: [5, 8, 30, 200])
    func complete(ales: Int) throws {
        var layout = RoomLogLayout()
        (layout.ales, layout.messageIds) = (8, 25)
        let servers = Servers(members: 60, layout)
        var random = SplitMix64(seed: UInt64(ales))
        let devices = (0..<3).map { servers.old.enter($0) }
        for number in 0..<ales {
            devices[Int.random(in: 0..<3, using: &random)].cheer(in: TestRoom.id, messageId: "\(number)")
        }
        let before = try #require(servers.old.host.rooms[TestRoom.id]).saved
        let (_, after) = try servers.leave()
        #expect(after.id == before.id && after.epoch == before.epoch && after.term == 1)
        #expect(after.origin == before.origin && after.closesAt == before.closesAt)
        #expect(after.last == ales && after.ales == before.ales)
        for (sender, expected) in zip(after.senders, before.senders) {
            #expect(sender.registration == expected.registration)
            let entries = sender.messageIds.entries.compactMap { $0 }
            #expect(entries.map(\.number) == expected.messageIds.entries.compactMap { $0?.number })
            #expect(entries.map(\.fingerprint) == expected.messageIds.entries.compactMap { $0?.fingerprint })
        }
        #expect(after.senders.count == 60)
    }

    @Test("takes no ale after its state was read, until the hand-over fails")
    func frozen() throws {
        let servers = Servers()
        let ada = servers.old.enter(0)
        let leaving = try servers.leave().room
        #expect(ada.peer?.holdsMessages == true)
        // Neither a pause that was begun before, nor a second search for rooms, ends that.
        servers.old.host.thaw(TestRoom.id)
        servers.old.host.freeze(TestRoom.id)
        servers.old.host.thaw(TestRoom.id)
        #expect(ada.peer?.holdsMessages == true && ada.resumed == 0)
        #expect(servers.old.host.leave(devices: 100, rooms: 10, except: []).rooms.isEmpty)
        // A pause that is not over goes on.
        servers.old.host.freeze(TestRoom.id)
        servers.old.host.stay([leaving])
        #expect(ada.resumed == 1 && ada.peer?.holdsMessages == true)
        servers.old.host.thaw(TestRoom.id)
        #expect(ada.resumed == 2 && ada.peer?.holdsMessages == false)
        #expect(servers.old.host.leave(devices: 100, rooms: 10, except: [TestRoom.id]).rooms.isEmpty)
        // One that was just taken over waits for its pause.
        servers.old.host.freeze(TestRoom.id)
        let (rooms, isMore) = servers.old.host.leave(devices: 100, rooms: 10, except: [])
        #expect(rooms.isEmpty && isMore)
    }

    @Test("starts empty if another server has owned it since", arguments: [1, 2, 3] as [Int32])
    func overtaken(term: Int32) throws {
        let servers = Servers()
        let ada = RecordingSink()
        _ = servers.old.join(0, ada)
        let epoch = try #require(ada.takeMessages().first?.handshake?.epoch)
        let saved = try servers.leave().saved
        #expect(servers.new.host.keep(saved))
        servers.open(term)
        let handshake = try come(to: servers.new, 0, epoch, since: 0).handshake
        #expect(handshake.recovered == (term == 2))
        #expect(servers.new.host.arriving.isEmpty)
    }

    @Test("is not kept, as an owner had it, once the room is about to be claimed from that owner")
    func lateOffer() throws {
        let servers = Servers()
        let saved = try servers.leave().saved
        let host = servers.new.host
        #expect(host.keep(saved))
        host.refuseArrival(of: TestRoom.id, from: saved.term)
        #expect(!host.knows(TestRoom.id))
        // The owner has waited long for the answer to its offer, and has gone on meanwhile.
        #expect(!host.keep(saved))
        var later = saved
        later.term += 1
        #expect(host.keep(later))
    }

    @Test("is forgotten when it is claimed, after two minutes, and when it has another owner")
    func forgotten() throws {
        let servers = Servers()
        let saved = try servers.leave().saved
        let host = servers.new.host
        #expect(host.keep(saved) && host.knows(TestRoom.id))
        host.forgetArriving([TestRoom.id])
        #expect(!host.knows(TestRoom.id))
        #expect(host.keep(saved))
        servers.new.clock.advance(.seconds(119))
        host.forgetArriving(endedBy: servers.new.clock.now)
        #expect(host.knows(TestRoom.id))
        servers.new.clock.advance(.seconds(1))
        host.forgetArriving(endedBy: servers.new.clock.now)
        #expect(!host.knows(TestRoom.id))
        // A row that is as it was when the room was sent says nothing; a later owner does.
        #expect(host.keep(saved))
        host.apply(servers.new.membership)
        #expect(host.knows(TestRoom.id))
        var later = servers.new.membership
        later.term = 2
        host.apply(later)
        #expect(!host.knows(TestRoom.id))
    }

    @Test("is kept as it was sent last, whatever comes later")
    func reordered() throws {
        let servers = Servers()
        let ada = RecordingSink()
        _ = servers.old.join(0, ada)
        let epoch = try #require(ada.takeMessages().first?.handshake?.epoch)
        ada.cheer(in: TestRoom.id, messageId: "a")
        // No answer has come whether the first was taken, so the room has gone on.
        let (leaving, first) = try servers.leave()
        servers.old.host.stay([leaving])
        ada.cheer(in: TestRoom.id, messageId: "b")
        let second = try servers.leave().saved
        #expect(servers.new.host.keep(second))
        #expect(!servers.new.host.keep(first))
        servers.open()
        #expect(try come(to: servers.new, 0, epoch, since: 2).handshake.seq == 2)
    }

    @Test("leaves alone, and goes on only in the term in which it left")
    func alone() throws {
        let servers = Servers()
        let ada = servers.old.enter(0)
        servers.old.host.freeze(TestRoom.id)
        #expect(servers.old.host.leave(TestRoom.id) == nil, "it waits for its owner before")
        servers.old.host.thaw(TestRoom.id)
        let leaving = try #require(servers.old.host.leave(TestRoom.id))
        #expect(leaving.id == TestRoom.id && leaving.term == 1 && leaving.devices == 1)
        #expect(ada.peer?.holdsMessages == true)
        #expect(servers.old.host.leave(TestRoom.id) == nil && servers.old.host.leave(.init(value: 99)) == nil)
        let other = LeavingRoom(id: leaving.id, term: 2, devices: 1, blocks: [])
        servers.old.host.stay([other])
        #expect(ada.peer?.holdsMessages == true)
        servers.old.host.stay([leaving])
        #expect(ada.peer?.holdsMessages == false)
    }

    @Test("is not taken by a server that ends, or has it")
    func refused() throws {
        let servers = Servers()
        let saved = try servers.leave().saved
        #expect(!servers.old.host.keep(saved))
        servers.new.host.startDraining()
        #expect(!servers.new.host.keep(saved))
    }

    @Test("is kept aside up to a number of blocks")
    func bound() throws {
        let saved = try Servers().leave().saved
        var arrivals = RoomArrivals()
        var most = 0
        for number in 1...200_000 {
            let room = SavedRoom(
                id: Identifier(value: UInt128(number)), epoch: 1, origin: saved.origin,
                closesAt: saved.closesAt, last: 0, ales: [], senders: [], blocks: saved.blocks, term: 1)
            if !arrivals.keep(room, at: TestRoom.opens) { break }
            most += saved.usedBlocks.count
        }
        #expect(most > 131_000 && most <= 131_072)
        // The same room once more takes no more space.
        let taken = arrivals.take(Identifier(value: 2), givenIn: 2)
        let again = try #require(taken)
        let results = (0..<2).map { _ in arrivals.keep(again, at: TestRoom.opens) }
        #expect(results == [true, true])
    }

    @Test("is not read from bytes of another layout, or from anything else")
    func unreadable() throws {
        let servers = Servers()
        let leaving = try servers.leave().room
        let bytes = RoomTransfer.encode([leaving], servers.layout)
        #expect(bytes.count == RoomTransfer.size(ofWords: leaving.blocks.count))
        var other = RoomLogLayout()
        other.ales = 512
        #expect(RoomTransfer.read(bytes, other, now: TestRoom.opens) == nil)
        #expect(RoomTransfer.read([], servers.layout, now: TestRoom.opens) == nil)
        #expect(RoomTransfer.read(bytes.dropLast(), servers.layout, now: TestRoom.opens) == nil)
        let spoilt = bytes.enumerated().map { $0 > 520 && $0 < 600 ? 0xff : $1 }
        #expect(RoomTransfer.read(spoilt, servers.layout, now: TestRoom.opens)?.isEmpty == true)
        #expect(RoomTransfer.read(bytes, servers.layout, now: leaving.endsAt)?.isEmpty == true)
    }
}

extension LeavingRoom {
    fileprivate var endsAt: Timestamp { TestRoom.opens.adding(.seconds(1860)) }
}

extension RoomTransfer {
    fileprivate static func read(
        _ bytes: ArraySlice<UInt8>, _ layout: RoomLogLayout, now: Timestamp
    ) -> [SavedRoom]? {
        read(Array(bytes), layout, now: now)
    }
}
