import Codecs
import Contract
import Rooms
import Testing

@Suite("Ales that wait for a slow reader who asked to have them merged")
struct MergedAlesTests {
    private static let merging = SocketOptions(mergesAles: true)

    private func ale(_ number: Int, _ seq: Int64, _ merged: ServerMessage.Ale.Merged? = nil) -> ServerMessage
    {
        .aleResponse(
            ServerMessage.Ale(
                from: TestRoom.registration(number), seq: seq, at: TestRoom.opens, merged: merged))
    }

    @Test("come one by one while the reader keeps up, in the frames of all others")
    func keepsUp() {
        let room = TestRoom(members: 2)
        let (sender, slow, usual) = (room.enter(0), room.enter(1, options: Self.merging), room.enter(1))
        for _ in 1...3 { sender.cheer(in: TestRoom.id) }
        #expect(slow.frames == usual.frames && slow.frames.count == 3)
        #expect(!slow.tellsWhenDrained)
    }

    @Test("of one sender become one, with the numbers of the first and the last, and their count")
    func merged() {
        let room = TestRoom(members: 2)
        let (sender, slow) = (room.enter(0), room.enter(1, options: Self.merging))
        slow.isBehind = true
        slow.cheer(in: TestRoom.id)
        for _ in 2...4 { sender.cheer(in: TestRoom.id) }
        slow.cheer(in: TestRoom.id)
        sender.cheer(in: TestRoom.id)
        #expect(slow.frames.isEmpty && slow.tellsWhenDrained)
        slow.drain()
        #expect(slow.takeMessages() == [ale(0, 6, .init(first: 2, count: 4))])
        // One alone looks as ever, and nothing waits any more.
        slow.isBehind = true
        sender.cheer(in: TestRoom.id)
        slow.drain()
        #expect(slow.takeMessages() == [ale(0, 7)])
        sender.cheer(in: TestRoom.id)
        #expect(slow.takeMessages() == [ale(0, 8)])
    }

    @Test("of several senders are told in order, with the position that misses none of them")
    func senders() {
        let room = TestRoom(members: 3)
        let senders = [room.enter(0), room.enter(1)]
        let slow = room.enter(2, options: Self.merging)
        slow.isBehind = true
        for number in [0, 1, 0, 1, 0] { senders[number].cheer(in: TestRoom.id) }
        slow.drain()
        #expect(
            slow.takeMessages() == [
                ale(1, 4, .init(first: 2, count: 2, since: 0)), ale(0, 5, .init(first: 1, count: 3)),
            ])
        // Senders one after the other do not interleave.
        slow.isBehind = true
        for number in [0, 0, 1, 1] { senders[number].cheer(in: TestRoom.id) }
        slow.drain()
        #expect(
            slow.takeMessages() == [
                ale(0, 7, .init(first: 6, count: 2)), ale(1, 9, .init(first: 8, count: 2)),
            ])
    }

    @Test("go before every other message, and before the close")
    func order() {
        let room = TestRoom(members: 2)
        let (sender, slow) = (room.enter(0), room.enter(1, options: Self.merging))
        slow.isBehind = true
        for _ in 1...2 { sender.cheer(in: TestRoom.id) }
        slow.cheer(in: TestRoom.id, messageId: "m")
        #expect(slow.takeMessages() == [ale(0, 2, .init(first: 1, count: 2)), .ack(messageId: "m", seq: 3)])
        sender.cheer(in: TestRoom.id)
        slow.say("nonsense")
        #expect(slow.takeMessages().map(\.errorCode) == [nil, "malformed"])
        for _ in 5...6 { sender.cheer(in: TestRoom.id) }
        _ = room.host.closeEnded(at: room.membership.closesAt)
        #expect(slow.takeMessages() == [ale(0, 6, .init(first: 5, count: 2)), .roomClosed])
        #expect(slow.closed == .roomClosed)
    }

    @Test("are counted as those that come one by one")
    func counts() {
        let room = TestRoom(members: 2)
        let (sender, slow) = (room.enter(0), room.enter(1, options: Self.merging))
        slow.isBehind = true
        for _ in 1...5 { sender.cheer(in: TestRoom.id) }
        slow.drain()
        #expect(room.host.currentStatistics.deliveries == 5)
        let received = room.host.takeCounts().flatMap(\.members).map(\.received)
        #expect(received == [0, 5])
    }

    @Test("are not merged where they come back, for others, or in version 1")
    func others() throws {
        let room = TestRoom(members: 2)
        let (first, sender) = (RecordingSink(), room.enter(0))
        _ = room.join(1, first, options: Self.merging)
        let epoch = try #require(first.takeMessages().first?.handshake?.epoch)
        first.leave()
        for _ in 1...3 { sender.cheer(in: TestRoom.id) }
        let back = RecordingSink()
        back.isBehind = true
        _ = room.join(
            1, back, position: RoomHost.Position(epoch: epoch, since: 0), options: Self.merging)
        #expect(back.takeMessages().compactMap(\.ale) == (1...3).compactMap { ale(0, $0).ale })
        let (usual, old) = (room.enter(1), room.enter(1, .one, options: Self.merging))
        for device in [usual, old] { device.isBehind = true }
        for _ in 4...5 { sender.cheer(in: TestRoom.id) }
        #expect(usual.takeMessages() == [ale(0, 4), ale(0, 5)])
        #expect(old.frames.count == 2)
    }

    @Test("that still wait at the end of a connection come back with its position")
    func interrupted() throws {
        let room = TestRoom(members: 2)
        let slow = RecordingSink()
        _ = room.join(1, slow, options: Self.merging)
        let epoch = try #require(slow.takeMessages().first?.handshake?.epoch)
        let sender = room.enter(0)
        slow.isBehind = true
        for _ in 1...2 { sender.cheer(in: TestRoom.id) }
        slow.leave()
        let back = RecordingSink()
        _ = room.join(1, back, position: RoomHost.Position(epoch: epoch, since: 0))
        #expect(back.takeMessages().compactMap { $0.ale?.seq } == [1, 2])
    }

    /// A device of a merging connection, as the documents say that it behaves.
    private struct Reader {
        var since: Int64 = 0
        private var last: [Identifier: Int64] = [:]
        /// The number of ales that were heard of each sender.
        private(set) var heard: [Identifier: Int64] = [:]
        /// A mistake: it takes `seq` for its position, whatever the message says.
        var ignoresSince = false

        init(ignoresSince: Bool) { self.ignoresSince = ignoresSince }

        mutating func hear(_ ale: ServerMessage.Ale) {
            guard ale.seq > max(since, last[ale.from] ?? 0) else { return }
            heard[ale.from, default: 0] += ale.count
            last[ale.from] = ale.seq
            since = max(since, ignoresSince ? ale.seq : ale.merged?.since ?? ale.seq)
        }
    }

    /// Returns how many ales of each sender were sent and heard, where connections break at any message.
    private func run(seed: UInt64, ignoresSince: Bool) throws -> (
        sent: [Identifier: Int64], heard: [Identifier: Int64]
    ) {
        var random = SplitMix64(seed: seed)
        let room = TestRoom(members: 4)
        let senders = (0..<3).map { room.enter($0) }
        var reader = Reader(ignoresSince: ignoresSince)
        var sent: [Identifier: Int64] = [:]
        var device = RecordingSink()
        _ = room.join(3, device, options: Self.merging)
        let epoch = try #require(device.takeMessages().first?.handshake?.epoch)
        for step in 0...200 {
            switch step == 200 ? 2 : UInt8.random(in: 0..<12, using: &random) {
            case 0: device.isBehind = true
            case 1: device.drain()
            case 2:
                // The connection breaks: only some of the messages have arrived.
                device.drain()
                let messages = device.takeMessages()
                let arrived = Int.random(in: 0...messages.count, using: &random)
                for message in messages.prefix(arrived) { if let ale = message.ale { reader.hear(ale) } }
                device.leave()
                device = RecordingSink()
                _ = room.join(
                    3, device, position: RoomHost.Position(epoch: epoch, since: reader.since),
                    options: Self.merging)
                for message in device.takeMessages() { if let ale = message.ale { reader.hear(ale) } }
            default:
                let number = Int.random(in: 0..<3, using: &random)
                senders[number].cheer(in: TestRoom.id)
                sent[TestRoom.registration(number), default: 0] += 1
            }
        }
        return (sent, reader.heard)
    }

    @Test("are each heard once, whatever breaks between two messages")
    func exactlyOnce() throws {
        for _ in 0..<60 {
            let seed = UInt64.random(in: .min ... .max)
            let (sent, heard) = try run(seed: seed, ignoresSince: false)
            #expect(sent == heard, "seed \(seed)")
        }
    }

    @Test("are lost by a reader that does not keep to since, which the test above would find")
    func planted() throws {
        let isFound = try (0..<60).contains { seed in
            let (sent, heard) = try run(seed: UInt64(seed), ignoresSince: true)
            return sent != heard
        }
        #expect(isFound)
    }
}
