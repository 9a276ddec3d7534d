import Codecs
import Contract
import Rooms
import Testing

@Suite("A room, whatever happens in it")
struct RoomPropertyTests {
    /// A room beside a model of it; the two are compared after every step.
    private final class Run {
        /// A device in the room.
        private struct Place {
            let number: Int
            let device: RecordingSink
        }

        private struct Counts: Equatable {
            var sent: Int64 = 0
            var received: Int64 = 0
        }

        private static let people = 6
        private let seed: UInt64
        private var random: SplitMix64
        private let room: TestRoom
        private var places: [Place] = []
        private var belongs: [Int]
        /// The sender of each ale; the first has number 1.
        private var log: [Int] = []
        private var messageIds: [[String: Int64]] = Array(repeating: [:], count: people)
        /// The numbers of the ales that each member was sent, by whatever device and in whatever way.
        private var heard: [Set<Int64>] = Array(repeating: [], count: people)
        private var counts: [Counts] = Array(repeating: Counts(), count: people)
        private var counted: [Counts] = Array(repeating: Counts(), count: people)
        private var countedAles: Int64 = 0
        private var epoch = ""

        init(seed: UInt64) {
            self.seed = seed
            random = SplitMix64(seed: seed)
            room = TestRoom(members: 3) { configuration in
                configuration.maximumDevices = 3
                configuration.log.ales = 32
            }
            belongs = [0, 1, 2]
        }

        private func check(_ isTrue: Bool, _ what: Comment) { #expect(isTrue, "\(what), seed \(seed)") }

        func run(steps: Int) {
            for _ in 0..<steps {
                switch UInt8.random(in: 0..<16, using: &random) {
                case 0..<3: join()
                case 3: leave()
                case 4: changeMembership()
                case 5: replaceToken()
                case 6: takeCounts()
                default: cheer()
                }
                let here = Set(places.map { TestRoom.registration($0.number) })
                if let snapshot = room.host.snapshot(of: TestRoom.id) {
                    check(snapshot.present == here, "presence")
                    check(snapshot.ales == Int64(log.count), "ales")
                }
                check(room.host.currentStatistics.devices == places.count, "devices")
            }
            takeCounts()
            check(counted == counts && countedAles == Int64(log.count), "counts")
            checkJournal()
        }

        private func join() {
            let number = Int.random(in: 0..<Self.people, using: &random)
            let device = RecordingSink(Bool.random(using: &random) ? .two : .one)
            let since = Int64.random(in: 0...Int64(log.count), using: &random)
            let hasPosition = Bool.random(using: &random) && !epoch.isEmpty
            let member = room.membership.members.first { $0.user == TestRoom.user(number) }
            let refusal = room.join(
                number, device, tokenVersion: member?.tokens.main ?? 1,
                position: hasPosition ? RoomHost.Position(epoch: epoch, since: since) : nil)
            if !belongs.contains(number) { return check(refusal == .notAMember, "not a member") }
            if places.count(where: { $0.number == number }) == 3 {
                return check(refusal == .tooManyDevices, "too many devices")
            }
            check(refusal == nil, "let in")
            if !places.contains(where: { $0.number == number }) { expectPresence(of: number, true) }
            places.append(Place(number: number, device: device))
            checkGreeting(device, number, since: hasPosition ? since : nil)
        }

        private func checkGreeting(_ device: RecordingSink, _ number: Int, since: Int64?) {
            let messages = device.takeMessages()
            guard device.version == .two else { return check(messages == [.handshake(nil)], "version 1") }
            guard let handshake = messages.first?.handshake else { return check(false, "handshake") }
            epoch = handshake.epoch
            check(handshake.seq == Int64(log.count), "seq")
            let reaches = since.map { Int64(log.count) - $0 <= 32 } ?? false
            check(handshake.recovered == reaches, "recovered")
            let missed = reaches ? (1...Int64(log.count + 1)).dropLast().filter { $0 > since ?? 0 } : []
            let theirs = missed.filter { log[Int($0) - 1] != number }
            check(messages.dropFirst().map { $0.ale?.seq } == theirs, "what was missed")
            hear(theirs, number)
        }

        /// Notes ales of a member; each counts once.
        private func hear(_ ales: [Int64], _ number: Int) {
            let new = ales.filter { heard[number].insert($0).inserted }
            counts[number].received += Int64(new.count)
        }

        private func leave() {
            guard let index = places.indices.randomElement(using: &random) else { return }
            let place = places.remove(at: index)
            place.device.leave()
            if !places.contains(where: { $0.number == place.number }) {
                expectPresence(of: place.number, false)
            }
        }

        /// Expects a presence message at the others' devices of version 2, and no message anywhere else.
        private func expectPresence(of number: Int, _ present: Bool) {
            let expected = ServerMessage.presence(member: TestRoom.registration(number), present: present)
            for place in places where place.number != number {
                let heard = place.device.takeMessages()
                check(heard == (place.device.version == .two ? [expected] : []), "presence is told")
            }
        }

        private func cheer() {
            guard let place = places.randomElement(using: &random) else { return }
            let messageId = Bool.random(using: &random) ? "m\(Int.random(in: 0..<20, using: &random))" : nil
            place.device.cheer(in: TestRoom.id, messageId: messageId)
            let known = messageId.flatMap { messageIds[place.number][$0] }
            if known == nil {
                log.append(place.number)
                counts[place.number].sent += 1
                for number in Set(places.map(\.number)) where number != place.number {
                    hear([Int64(log.count)], number)
                }
            }
            let seq = known ?? Int64(log.count)
            if let messageId { messageIds[place.number][messageId] = seq }
            let ale = ServerMessage.Ale(
                from: TestRoom.registration(place.number), seq: seq, at: room.clock.now)
            for other in places {
                let heard = other.device.takeMessages()
                if other.device === place.device {
                    let acknowledges = messageId != nil && place.device.version == .two
                    check(heard.map(\.acknowledgement) == (acknowledges ? [seq] : []), "acknowledgement")
                } else if other.number == place.number || known != nil {
                    check(heard.isEmpty, "none of the sender's, and nothing twice")
                } else {
                    check(heard == [.aleResponse(other.device.version == .two ? ale : nil)], "ale")
                }
            }
        }

        private func changeMembership() {
            let number = Int.random(in: 0..<Self.people, using: &random)
            let target = Bool.random(using: &random) ? Identifier(value: 77) : nil
            let leaves = belongs.contains(number)
            if leaves { belongs.removeAll { $0 == number } } else { belongs.append(number) }
            let before = room.membership.members
            room.change { membership in
                membership.members = belongs.map { number in
                    before.first { $0.id == TestRoom.registration(number) } ?? TestRoom.member(number)
                }
                if leaves, let target { membership.moved = [TestRoom.registration(number): target] }
            }
            for place in places where place.number == number {
                let moved = place.device.takeMessages().contains {
                    if case .moved = $0 { return true }
                    return false
                }
                check(moved == (target != nil && place.device.version == .two), "told where to")
                check(place.device.closed == (target == nil ? .notAllowed : .moved), "closed")
                place.device.leave()
            }
            places.removeAll { $0.number == number }
            for place in places {
                let heard = place.device.takeMessages()
                check(heard.count == (place.device.version == .two ? 1 : 0), "members")
                if case .members(let members)? = heard.first {
                    check(members.map(\.id) == belongs.map(TestRoom.registration), "who belongs")
                    check(members.filter(\.you).map(\.id) == [TestRoom.registration(place.number)], "you")
                }
            }
        }

        private func replaceToken() {
            guard let index = belongs.indices.randomElement(using: &random) else { return }
            let number = belongs[index]
            let main = room.membership.members[index].tokens.main
            room.membership.members[index].tokens = MemberTokens(main: main + 1)
            room.host.apply(room.membership)
            let wasHere = places.contains { $0.number == number }
            for place in places where place.number == number {
                check(place.device.closed == .notAllowed, "1008")
            }
            places.removeAll { $0.number == number }
            if wasHere { expectPresence(of: number, false) }
        }

        private func takeCounts() {
            for count in room.host.takeCounts() {
                countedAles += count.ales
                for member in count.members {
                    let number =
                        (0..<Self.people).first { TestRoom.registration($0) == member.registration } ?? 0
                    counted[number].sent += member.sent
                    counted[number].received += member.received
                }
            }
            check(counted == counts, "counts of members")
        }

        /// Checks the journal of each member: it begins with an entry, and ends with one for a present
        /// member.
        private func checkJournal() {
            for number in 0..<Self.people {
                let changes = room.journal.presence.filter {
                    $0.registration == TestRoom.registration(number)
                }
                let isHere = places.contains { $0.number == number }
                if isHere { check(changes.last?.present == true, "journal") }
                check(changes.isEmpty || changes.first?.present == true, "journal begins")
            }
        }
    }

    @Test("ales, numbers, recovery, presence and counts agree with a model", arguments: 0..<30)
    func model(run: Int) {
        Run(seed: UInt64.random(in: 0...UInt64.max)).run(steps: 400)
    }
}
