import Codecs
import Contract
import Testing

@testable import Rooms

@Suite("A room whose process is killed")
struct KilledRoomTests {
    private static func layout(_ ales: Int, _ messageIds: Int) -> RoomLogLayout {
        var layout = RoomLogLayout()
        layout.ales = ales
        layout.messageIds = messageIds
        return layout
    }

    @Test(
        "goes on where it stopped: each ale is there once, and each id has its first number",
        arguments: [layout(8, 3), layout(64, 25), layout(256, 128)])
    func kills(layout: RoomLogLayout) {
        for _ in 0..<6 {
            let room = KilledRoom(seed: .random(in: 0 ... .max), layout, stores: 100)
            room.run(steps: 200) { Int.random(in: 0..<400, using: &$0) }
            #expect(room.kills > 1)
        }
    }

    @Test("goes on where it stopped, after each single store of its life")
    func everyStore() {
        for stores in 0..<360 {
            KilledRoom(seed: 1, Self.layout(64, 30), stores: stores).run(steps: 30) { _ in .max }
        }
    }

    /// Returns the ales received by each member, by the counts since the last time.
    private static func received(_ room: TestRoom) -> [Identifier: Int64] {
        var received: [Identifier: Int64] = [:]
        for member in room.host.takeCounts().flatMap(\.members) {
            received[member.registration] = member.received
        }
        return received
    }

    @Test("counts what is recovered from it once: what was missed, and not what had been heard")
    func counts() throws {
        let storage = MemoryRoomStorage()
        let room = TestRoom(members: 3, storage: storage)
        let (sender, stays, goes) = (RecordingSink(), room.enter(1), room.enter(2))
        _ = room.join(0, sender)
        let epoch = try #require(sender.takeMessages().first?.handshake?.epoch)
        for _ in 0..<2 { sender.cheer(in: TestRoom.id) }
        goes.leave()
        for _ in 0..<3 { sender.cheer(in: TestRoom.id) }
        #expect(stays.takeMessages().compactMap { $0.ale?.seq } == [1, 2, 3, 4, 5])
        #expect(
            Self.received(room) == [
                TestRoom.registration(0): 0, TestRoom.registration(1): 5, TestRoom.registration(2): 2,
            ])
        let saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        storage.keep(saved.flatMap(\.usedBlocks))
        let next = TestRoom(members: 3, storage: storage, saved: saved)
        for number in [1, 2, 2] {
            let device = RecordingSink()
            _ = next.join(number, device, position: RoomHost.Position(epoch: epoch, since: 1))
            #expect(device.takeMessages().compactMap { $0.ale?.seq } == [2, 3, 4, 5])
            device.leave()
        }
        #expect(Self.received(next) == [TestRoom.registration(2): 3])
    }

    @Test("starts again where it met on another server meanwhile", arguments: [false, true])
    func elsewhere(wasElsewhere: Bool) throws {
        let storage = MemoryRoomStorage()
        let room = TestRoom(members: 2, storage: storage)
        let device = RecordingSink()
        _ = room.join(0, device)
        let epoch = try #require(device.takeMessages().first?.handshake?.epoch)
        device.cheer(in: TestRoom.id)
        let saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        storage.keep(saved.flatMap(\.usedBlocks))
        let next = TestRoom(members: 2, storage: storage, saved: saved, wasElsewhere: wasElsewhere)
        let back = RecordingSink()
        _ = next.join(0, back, position: RoomHost.Position(epoch: epoch, since: 0))
        let handshake = try #require(back.takeMessages().first?.handshake)
        #expect(handshake.recovered == !wasElsewhere)
        #expect((handshake.epoch == epoch) == !wasElsewhere)
        #expect(handshake.seq == (wasElsewhere ? 0 : 1))
        let left = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        #expect(left.count == 1 && (left.map(\.epoch) == saved.map(\.epoch)) == !wasElsewhere)
    }

    @Test("is not kept where the storage is full, and not half of it is found afterwards", arguments: 0..<8)
    func full(blocks: Int) throws {
        let storage = MemoryRoomStorage(maximumBlocks: blocks)
        let room = TestRoom(members: 3, storage: storage)
        let (first, second) = (room.enter(0), room.enter(1))
        for number in 0..<200 {
            first.cheer(in: TestRoom.id, messageId: "\(number)")
            #expect(first.takeMessages().compactMap(\.acknowledgement) == [Int64(number + 1)])
        }
        #expect(second.takeMessages().count == 200)
        #expect(SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens).isEmpty)
    }

    @Test("leaves nothing once it is over, whether or not anybody came back to it", arguments: [true, false])
    func over(comesBack: Bool) throws {
        let storage = MemoryRoomStorage()
        TestRoom(members: 2, storage: storage).enter(0).cheer(in: TestRoom.id, messageId: "one")
        let saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens)
        #expect(saved.map(\.id) == [TestRoom.id])
        storage.keep(saved.flatMap(\.usedBlocks))
        let room = TestRoom(members: comesBack ? 2 : 0, storage: storage, saved: saved)
        if comesBack { _ = room.enter(0) }
        room.clock.advance(.seconds(2000))
        _ = room.host.closeEnded(at: room.clock.now)
        #expect(SavedRoom.readAll(in: storage, RoomLogLayout(), now: TestRoom.opens).isEmpty)
        let blocks = storage.blockCount
        var taken: Set<Int> = []
        for _ in 0..<blocks { taken.formUnion(storage.takeBlock().map { [$0] } ?? []) }
        #expect(taken == Set(0..<blocks))
        #expect(storage.blockCount == blocks)
    }

    @Test("that is over when the storage is read is not found")
    func late() {
        let storage = MemoryRoomStorage()
        _ = TestRoom(members: 2, storage: storage).enter(0)
        let end = TestRoom.opens.adding(.seconds(1860))
        #expect(
            SavedRoom.readAll(in: storage, RoomLogLayout(), now: end.adding(.microseconds(-1))).count == 1)
        #expect(SavedRoom.readAll(in: storage, RoomLogLayout(), now: end).isEmpty)
    }

    /// Oracle: a room of the storage is found or left out, and a room that is found works; never a trap.
    @Test("is read from a storage in which anything may be", arguments: 0..<100)
    func garbage(run: Int) {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let layout = Self.layout(64, 30)
        let storage = MemoryRoomStorage()
        let room = TestRoom(members: 3, storage: storage) { $0.log = layout }
        let devices = (0..<3).map { room.enter($0) }
        for number in 0..<Int.random(in: 0..<200, using: &random) {
            devices.randomElement(using: &random)?.cheer(in: TestRoom.id, messageId: "\(number)")
        }
        for _ in 0..<Int.random(in: 1..<20, using: &random) { spoil(storage, &random) }
        let saved = SavedRoom.readAll(in: storage, layout, now: TestRoom.opens)
        let used = saved.flatMap(\.usedBlocks)
        #expect(Set(used).count == used.count, "seed \(seed)")
        storage.keep(used)
        let next = TestRoom(members: 5, storage: storage, saved: saved) { $0.log = layout }
        let device = next.enter(1)
        let epoch = saved.first.map { String($0.epoch, radix: 36) } ?? ""
        for since in [0, 1, 63, 64, 100, .max] as [Int64] {
            _ = next.join(0, RecordingSink(), position: RoomHost.Position(epoch: epoch, since: since))
        }
        for number in 0..<100 { device.cheer(in: TestRoom.id, messageId: "\(number)") }
        #expect(device.takeMessages().compactMap(\.acknowledgement).count == 100, "seed \(seed)")
        next.clock.advance(.seconds(2000))
        _ = next.host.closeEnded(at: next.clock.now)
    }

    /// Changes a random word, more often an important one; a checksum over it is corrected.
    private func spoil(_ storage: MemoryRoomStorage, _ random: inout SplitMix64) {
        let block = Int.random(in: 0..<storage.blockCount, using: &random)
        let word = Int.random(in: 0..<(Bool.random(using: &random) ? 12 : RoomBlock.words), using: &random)
        let other = storage.load(
            Int.random(in: 0..<12, using: &random), of: Int.random(in: 0..<storage.blockCount, using: &random)
        )
        let values: [UInt64] = [
            0, 1, 2, 63, 64, 1 << 53, .max, 1 << 63, random.next(), other, other &+ 1,
            RoomBlock.Tag(.ales, ordinal: Int.random(in: 0..<4, using: &random)).word,
            RoomBlock.Tag(.messageIds, ordinal: 1, sender: 2).word, RoomBlock.Tag(.senders).word,
            RoomBlock.Tag(.room).word,
        ]
        storage.store(values.randomElement(using: &random) ?? 0, at: word, of: block)
        let constant = [RoomBlock.epoch] + Array(RoomBlock.id..<RoomBlock.checksum)
        let checksum = RoomBlock.checksum(of: constant.map { storage.load($0, of: block) })
        if Bool.random(using: &random) { storage.store(checksum, at: RoomBlock.checksum, of: block) }
    }
}
