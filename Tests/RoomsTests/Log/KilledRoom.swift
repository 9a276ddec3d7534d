import Codecs
import Contract
import Rooms
import Testing

/// A room whose process is killed again and again, beside a model of its promises.
final class KilledRoom {
    private static let people = 40
    private let name: Comment
    private var random: SplitMix64
    private let layout: RoomLogLayout
    private var storage: DoomedStorage
    private var room: TestRoom
    private var membership: Membership
    /// The sender of each ale; the first has number 1.
    private var log: [Int] = []
    /// The acknowledged ids and numbers of each member, oldest first.
    private var acknowledged: [[(id: String, number: Int64)]] = Array(repeating: [], count: people)
    private var epoch: String?
    private var givenIds = 0
    private(set) var kills = 0

    init(seed: UInt64, _ layout: RoomLogLayout, stores: Int) {
        name = "seed \(seed), \(layout), \(stores) stores"
        random = SplitMix64(seed: seed)
        self.layout = layout
        storage = DoomedStorage(MemoryRoomStorage(), stores: stores)
        room = TestRoom(members: 2, storage: storage) { $0.log = layout }
        membership = room.membership
    }

    private func check(_ isTrue: Bool, _ what: Comment) { #expect(isTrue, "\(what): \(name)") }

    /// Takes so many steps; each process that dies is followed by one that dies after the next number of
    /// stores.
    func run(steps: Int, nextStores: (inout SplitMix64) -> Int) {
        for _ in 0..<steps {
            switch UInt8.random(in: 0..<16, using: &random) {
            case 0: changeMembership(nextStores)
            case 1: look(at: randomMember, nextStores)
            default: cheer(nextStores)
            }
        }
        restart(nextStores(&random))
        for member in 0..<Self.people
        where membership.members.contains(where: { $0.id == TestRoom.registration(member) }) {
            checkMemory(of: member)
        }
    }

    private var randomMember: Int {
        let id = membership.members.randomElement(using: &random)?.id
        return (0..<Self.people).first { TestRoom.registration($0) == id } ?? 0
    }

    /// Returns false when the process died on the way, whose results then do not count, and restarts it.
    private func survives(_ nextStores: (inout SplitMix64) -> Int) -> Bool {
        if storage.remains == nil { return true }
        restart(nextStores(&random))
        return false
    }

    private func restart(_ stores: Int) {
        kills += 1
        let left = storage.kill()
        storage = DoomedStorage(left, stores: stores)
        let saved = SavedRoom.readAll(in: left, layout, now: TestRoom.opens)
        left.keep(saved.flatMap(\.usedBlocks))
        check(saved.count == 1 || epoch == nil, "the room is there")
        let old = membership
        room = TestRoom(members: 0, storage: storage, saved: saved) { $0.log = layout }
        room.membership = old
        room.host.apply(old)
    }

    private func changeMembership(_ nextStores: (inout SplitMix64) -> Int) {
        let number = Int.random(in: 0..<Self.people, using: &random)
        membership.revision += 1
        if membership.members.contains(where: { $0.id == TestRoom.registration(number) })
            && membership.members.count > 2
        {
            membership.members.removeAll { $0.id == TestRoom.registration(number) }
        } else if !membership.members.contains(where: { $0.id == TestRoom.registration(number) }) {
            membership.members.append(TestRoom.member(number))
        }
        room.host.apply(membership)
        _ = survives(nextStores)
    }

    /// Has a member come back at a random position, and checks the ales that it missed.
    private func look(at member: Int, _ nextStores: (inout SplitMix64) -> Int) {
        let count = Int64(log.count)
        let since = Int64.random(in: max(0, count - Int64(layout.ales) - 2)...count, using: &random)
        let position = epoch.map { RoomHost.Position(epoch: $0, since: since) }
        let device = RecordingSink()
        let refusal = room.join(member, device, position: position)
        guard survives(nextStores) else { return }
        check(refusal == nil, "let in")
        let messages = device.takeMessages()
        device.leave()
        guard let handshake = messages.first?.handshake else { return check(false, "handshake") }
        check(handshake.seq == count, "seq \(handshake.seq), not \(count)")
        check(epoch == nil || epoch == handshake.epoch, "the epoch stays")
        epoch = handshake.epoch
        guard position != nil else { return }
        let missed = count - since
        if missed < layout.ales { check(handshake.recovered, "recovered") }
        if missed > layout.ales { check(!handshake.recovered, "out of reach") }
        guard handshake.recovered else { return }
        let theirs = (since..<count).map { $0 + 1 }.filter { log[Int($0) - 1] != member }
        check(messages.dropFirst().map { $0.ale?.seq } == theirs, "what was missed")
        check(
            messages.dropFirst().map { $0.ale?.from }
                == theirs.map { TestRoom.registration(log[Int($0) - 1]) }, "whose they were")
    }

    /// Sends a new ale until it is acknowledged, or an old one again.
    private func cheer(_ nextStores: (inout SplitMix64) -> Int) {
        let member = randomMember
        if UInt8.random(in: 0..<4, using: &random) == 0,
            let old = remembered(of: member).randomElement(using: &random)
        {
            return check(
                acknowledgement(of: old.id, from: member) ?? old.number == old.number, "the first ack")
        }
        givenIds += 1
        let id = "\(givenIds)"
        for _ in 0..<50 {
            let number = acknowledgement(of: id, from: member)
            guard survives(nextStores) else { continue }
            log.append(member)
            acknowledged[member].append((id, Int64(log.count)))
            return check(number == Int64(log.count), "ale \(log.count) is \(number ?? 0)")
        }
        check(false, "never acknowledged")
    }

    /// Returns the ids of a member that the room must remember, also after a kill: all but the oldest, which
    /// may have been dropped.
    private func remembered(of member: Int) -> ArraySlice<(id: String, number: Int64)> {
        acknowledged[member].suffix(layout.messageIds - 1)
    }

    private func checkMemory(of member: Int) {
        for (id, number) in remembered(of: member) {
            check(acknowledgement(of: id, from: member) == number, "\(id) is \(number)")
        }
    }

    private func acknowledgement(of id: String, from member: Int) -> Int64? {
        let device = RecordingSink()
        _ = room.join(member, device)
        let handshake = device.takeMessages().first?.handshake
        if storage.remains == nil { epoch = handshake?.epoch }
        device.cheer(in: TestRoom.id, messageId: id)
        defer { device.leave() }
        return device.takeMessages().compactMap(\.acknowledgement).first
    }
}
