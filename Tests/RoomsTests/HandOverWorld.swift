import Codecs
import Contract

@testable import Rooms

/// A mistake of a hand-over that is made on purpose, to test that `HandOverWorld` notices it.
enum HandOverMistake: CaseIterable {
    /// The room takes ales after its state was read.
    case takesAlesMeanwhile
    /// The state is sent that was read for an earlier hand-over that came to nothing.
    case sendsOldState
    /// The state lacks the last ale.
    case losesAle
    /// The state lacks the ids of the ales.
    case losesIds
    /// The other server says that it keeps the state, and loses it.
    case losesState
    /// A server that claims the room itself uses the state that it was sent before.
    case claimsWithState
    /// A server uses the state that it was sent, in whatever term it has the room.
    case ignoresTerms
    /// The server before goes on with the room.
    case goesOn
}

/// One room, two servers with a row that names the owner, and two people who cheer: what is acknowledged is
/// compared with a model. Each world follows from its seed.
final class HandOverWorld {
    /// The number of an ale in a run of the room.
    private struct Place: Hashable {
        let epoch: String
        let number: Int64
    }

    private struct Person {
        var device = RecordingSink()
        var epoch = ""
        var since: Int64 = 0
        var sent = 0
    }

    private let mistake: HandOverMistake?
    private let layout: RoomLogLayout
    private let servers: [TestRoom]
    private var random: SplitMix64
    private var owner = 0
    private var term: Int32 = 1
    private var people = [Person(), Person()]
    /// The id at each place that was acknowledged, and the places of each id.
    private var ids: [Place: String] = [:]
    private var places: [String: [String: Int64]] = [:]
    /// The first state that was read in this term.
    private var oldState: (state: SavedRoom, term: Int32)?
    /// The first state that was ever read.
    private var firstState: SavedRoom?
    /// The run of the room that goes on, since its state was handed over.
    private var epochToBe: String?
    /// The first thing that is wrong.
    private(set) var violation: String?

    init(seed: UInt64, _ mistake: HandOverMistake? = nil) {
        self.mistake = mistake
        random = SplitMix64(seed: seed)
        // There is space for all that a world has, and no more.
        var layout = RoomLogLayout()
        (layout.ales, layout.messageIds) = (128, 125)
        self.layout = layout
        servers = [TestRoom.me, TestRoom.other].map { owner in
            TestRoom(members: 2, storage: MemoryRoomStorage(), owner: owner, term: 1) { $0.log = layout }
        }
    }

    /// Returns what is wrong, if anything is.
    func run(steps: Int = 120) -> String? {
        for _ in 0..<steps where violation == nil {
            let person = Int.random(in: 0...1, using: &random)
            switch UInt8.random(in: 0..<16, using: &random) {
            case 0: people[person].device.leave()
            case 1: claim()
            case 2: handOver()
            default: cheer(person)
            }
        }
        return violation
    }

    private func note(_ what: String) { violation = violation ?? what }

    // The people.

    private func cheer(_ person: Int) {
        if people[person].device.peer == nil { enter(person) }
        guard let peer = people[person].device.peer, !peer.holdsMessages else { return }
        // Every third one is sent once more.
        let isNew = people[person].sent == 0 || Int.random(in: 0..<3, using: &random) > 0
        if isNew { people[person].sent += 1 }
        let number = isNew ? people[person].sent : Int.random(in: 1...people[person].sent, using: &random)
        let id = "\(person)/\(number)"
        people[person].device.cheer(in: TestRoom.id, messageId: id)
        let acknowledged = people[person].device.takeMessages().compactMap(\.acknowledgement)
        guard let place = acknowledged.last else { return note("\(id) was not acknowledged") }
        acknowledge(id, Place(epoch: people[person].epoch, number: place))
    }

    private func acknowledge(_ id: String, _ place: Place) {
        if let other = ids[place], other != id { note("\(place) is \(other) and \(id)") }
        if let other = places[place.epoch]?[id], other != place.number {
            note("\(id) is \(other) and \(place)")
        }
        ids[place] = id
        places[place.epoch, default: [:]][id] = place.number
    }

    /// Has a person enter the room at the server that the row names, with the position of before.
    private func enter(_ person: Int) {
        let before = people[person]
        let device = RecordingSink()
        let position =
            before.epoch.isEmpty ? nil : RoomHost.Position(epoch: before.epoch, since: before.since)
        guard servers[owner].join(person, device, position: position) == nil else { return }
        let messages = device.takeMessages()
        guard let handshake = messages.first?.handshake else { return note("there is no handshake") }
        if let epochToBe, handshake.epoch != epochToBe { note("the room began anew, and was handed over") }
        if handshake.recovered {
            let numbers = ids.keys.filter { $0.epoch == handshake.epoch }.map(\.number)
            if handshake.seq < numbers.max() ?? 0 { note("an acknowledged ale is lost") }
            let missed = messages.compactMap { $0.ale?.seq }
            let expected = numbers.filter { number in
                number > before.since
                    && ids[Place(epoch: handshake.epoch, number: number)]?.hasPrefix("\(person)/") == false
            }
            if missed != expected.sorted() { note("\(missed) was recovered, and not \(expected.sorted())") }
        }
        people[person].device = device
        people[person].epoch = handshake.epoch
        people[person].since = handshake.seq
    }

    // The servers.

    /// Has a server read the row.
    private func read(_ server: Int) {
        var membership = servers[server].membership
        membership.owner = owner == server ? TestRoom.me : TestRoom.other
        membership.term = term
        servers[server].host.apply(membership)
    }

    /// Has the other server take the room over, without what this one has.
    private func claim() {
        let other = 1 - owner
        if mistake != .claimsWithState {
            servers[other].host.refuseArrival(of: TestRoom.id, from: term)
        }
        (owner, term, epochToBe) = (other, term + 1, nil)
        read(1 - other)
        read(other)
    }

    private func handOver() {
        let (old, other) = (servers[owner].host, servers[1 - owner].host)
        guard let leaving = old.leave(devices: 100, rooms: 10, except: []).rooms.first,
            let state = RoomTransfer.read(
                RoomTransfer.encode([leaving], layout), layout, now: TestRoom.opens)?.first
        else { return }
        if mistake == .takesAlesMeanwhile { old.stay([leaving]) }
        let isKept = mistake == .losesState || other.keep(spoiled(state))
        if oldState?.term != term { oldState = (state, term) }
        firstState = firstState ?? state
        for _ in 0..<3 { cheer(Int.random(in: 0...1, using: &random)) }
        switch UInt8.random(in: 0..<3, using: &random) {
        case 0 where isKept, 1 where isKept: give(leaving, state)
        case 2:
            // The database did not answer. Whether the other server hears that depends.
            old.stay([leaving])
            if Bool.random(using: &random) { other.forgetArriving([TestRoom.id]) }
        default: old.stay([leaving])
        }
    }

    private func give(_ leaving: LeavingRoom, _ state: SavedRoom) {
        let before = owner
        (owner, term) = (1 - owner, term + 1)
        epochToBe = String(state.epoch, radix: 36)
        if mistake == .ignoresTerms, var old = firstState {
            old.term = term - 1
            servers[owner].host.forgetArriving([TestRoom.id])
            _ = servers[owner].host.keep(old)
        }
        read(owner)
        if mistake == .goesOn {
            servers[before].host.stay([leaving])
        } else {
            servers[before].host.left([leaving])
        }
    }

    private func spoiled(_ state: SavedRoom) -> SavedRoom {
        var (last, senders) = (state.last, state.senders)
        switch mistake {
        case .sendsOldState: return oldState.map { $0.term == term ? $0.state : state } ?? state
        case .losesAle: last = max(0, last - 1)
        case .losesIds: for index in senders.indices { senders[index].messageIds = MessageIdMemory() }
        case .takesAlesMeanwhile, .losesState, .claimsWithState, .ignoresTerms, .goesOn, nil: break
        }
        return SavedRoom(
            id: state.id, epoch: state.epoch, origin: state.origin, closesAt: state.closesAt, last: last,
            ales: state.ales, senders: senders, blocks: state.blocks, term: state.term)
    }
}
