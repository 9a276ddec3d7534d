package import Cluster
package import Contract
package import Database
import Logging
import Reactor
import Rooms
import Scheduling

/// The hand-over of all rooms of a server that ends to other servers, so that clients come back to them with
/// nothing lost.
///
/// Each room takes no more ales from when its state is read. The other server keeps the state aside; then the
/// row of the room is changed; then the other server reads it; then the sockets are closed. A room that
/// nobody takes goes on here until the server closes it, and is left to the rooms file. So is one of which
/// nobody knows who owns it, but it takes no more ales.
package struct RoomHandOver: Sendable {
    private struct Receiver: Sendable {
        var server: Rendezvous.Server
        var address: String
    }

    /// Rooms that go to one server in one request.
    private struct Batch: Sendable {
        var receiver: Receiver
        var rooms: [LeavingRoom] = []

        var words: Int { rooms.reduce(0) { $0 + $1.blocks.count } }
    }

    private enum Outcome: Sendable {
        /// The other server has the rooms, as far as it took them.
        case gone(Int)
        /// The other server does not take rooms. These have to go to others.
        case notTaken([LeavingRoom])
        /// The database does not answer.
        case noDatabase
    }

    /// The longest time for all rooms.
    private static let longest = Duration.seconds(25)
    /// The most rooms that wait at a time.
    private static let roomsAtOnce = 250
    /// The size from which a request takes no more rooms, unless it has none yet.
    private static let batchBytes = 192 * 1024
    /// The time between two looks at rooms that cannot go yet.
    private static let pause = Duration.milliseconds(50)

    private let rooms: any OwnedRooms
    private let talk: any PeerCalls
    private let time: ClusterTime

    package init(rooms: any OwnedRooms, talk: any PeerCalls, in time: ClusterTime) {
        self.rooms = rooms
        self.talk = talk
        self.time = time
    }

    /// Hands all rooms of this server to the others, some at a time, as long as one of them takes any. From
    /// now on nobody enters a room here.
    package func run(to others: [(incarnation: Identifier, entry: ServerEntry)]) async {
        await rooms.startDraining()
        var receivers = others.compactMap { other in
            other.entry.address.map {
                Receiver(
                    server: Rendezvous.Server(id: other.incarnation, weight: other.entry.weight), address: $0)
            }
        }
        let begin = time.monotonic()
        let pace = HandOverPace(sockets: await rooms.devices())
        var refused: Set<Identifier> = []
        var (closed, count) = (0, 0)
        while !receivers.isEmpty, passed(since: begin) < Self.longest {
            // Rooms that other servers have handed to this one go on to the next.
            try? await rooms.openArriving()
            let wave = await rooms.leave(devices: pace.atOnce, rooms: Self.roomsAtOnce, except: refused)
            if wave.rooms.isEmpty {
                if !wave.isMore { break }
                try? await time.sleep(Self.pause)
                continue
            }
            await rooms.storeCounts()
            let gone = await hand(wave.rooms, to: &receivers, refused: &refused)
            count += gone
            closed += wave.rooms.reduce(0) { $0 + $1.devices }
            try? await time.sleep(pace.time(for: closed) - passed(since: begin))
        }
        let left = await rooms.openTerms().count
        if count + left > 0 { Log.info("rooms handed over", ["rooms": count, "left": left]) }
    }

    private func passed(since begin: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: time.monotonic() &- begin))
    }

    /// Hands rooms to the servers that are chosen for them. A server that takes none is not asked again.
    /// Returns the number of rooms that have gone.
    private func hand(
        _ leaving: [LeavingRoom], to receivers: inout [Receiver], refused: inout Set<Identifier>
    ) async -> Int {
        var rest = leaving
        var count = 0
        while !rest.isEmpty {
            let batches = Self.batches(rest, among: receivers)
            if batches.isEmpty {
                await rooms.stay(rest.map(\.id))
                break
            }
            rest = []
            await withTaskGroup(of: (Batch, Outcome, Set<Identifier>).self) { group in
                for batch in batches {
                    group.addTask {
                        let (outcome, refused) = await self.hand(batch)
                        return (batch, outcome, refused)
                    }
                }
                for await (batch, outcome, some) in group {
                    refused.formUnion(some)
                    switch outcome {
                    case .gone(let number): count += number
                    case .notTaken(let rooms):
                        rest += rooms
                        receivers.removeAll { $0.server.id == batch.receiver.server.id }
                    case .noDatabase: receivers = []
                    }
                }
            }
        }
        return count
    }

    /// Hands rooms to one server. Returns what came of it, and the rooms that stay here since that server did
    /// not take them.
    private func hand(_ batch: Batch) async -> (Outcome, Set<Identifier>) {
        let (other, address) = (batch.receiver.server.id, batch.receiver.address)
        let state = RoomTransfer.encode(batch.rooms, rooms.layout)
        guard let taken = await talk.offer(state, to: other, at: address), !taken.isEmpty else {
            Log.warning("another server takes no rooms", ["server": other])
            return (.notTaken(batch.rooms), [])
        }
        let going = batch.rooms.filter { taken.contains($0.id) }
        let staying = Set(batch.rooms.map(\.id)).subtracting(taken)
        await rooms.stay(Array(staying))
        let ids = going.map(\.id)
        switch await rooms.give(going, to: other) {
        case .given(let given):
            if await talk.tellOwned(ids, to: other, at: address) == nil {
                // It reads the row when somebody enters.
                Log.warning("another server has not said that it has rooms", ["server": other])
            }
            await rooms.left(going.filter { given.contains($0.id) })
            // Whoever has the others is in their rows.
            if given.count < going.count { try? await rooms.read(ids.filter { !given.contains($0) }) }
            return (.gone(given.count), staying)
        case .refused:
            await rooms.stay(ids)
            _ = await talk.tellOwned(ids, to: other, at: address)
            return (.noDatabase, staying)
        case .unknown:
            return (.noDatabase, staying)
        }
    }

    /// Divides rooms into requests to the servers that are chosen for them.
    private static func batches(_ leaving: [LeavingRoom], among receivers: [Receiver]) -> [Batch] {
        let choice = Rendezvous(receivers.map(\.server))
        var batches: [Batch] = []
        let parts = Dictionary(grouping: leaving) { choice.server(of: $0.id) }
        for receiver in receivers {
            var batch = Batch(receiver: receiver)
            for room in parts[receiver.server.id] ?? [] {
                let size = RoomTransfer.size(ofWords: batch.words + room.blocks.count)
                if size > batchBytes && !batch.rooms.isEmpty {
                    batches.append(batch)
                    batch.rooms = []
                }
                batch.rooms.append(room)
            }
            if !batch.rooms.isEmpty { batches.append(batch) }
        }
        return batches
    }
}

/// The speed at which the sockets of a server that ends are closed: 2,000 in a second, or as many as it takes
/// to close all of them in 25 seconds.
struct HandOverPace {
    private static let perSecond = 2_000
    private static let longestSeconds = 25
    /// The number of parts of a second.
    private static let parts = 10

    private let perSecond: Int

    init(sockets: Int) {
        perSecond = max(Self.perSecond, (sockets + Self.longestSeconds - 1) / Self.longestSeconds)
    }

    /// The number of sockets that are closed at once.
    var atOnce: Int { perSecond / Self.parts }

    /// Returns the time that so many sockets take at least.
    func time(for closed: Int) -> Duration { .microseconds(Int64(closed) * 1_000_000 / Int64(perSecond)) }
}

extension OwnedRooms {
    /// As `RoomHost.leave`, of all hosts.
    func leave(
        devices limit: Int, rooms most: Int, except those: Set<Identifier>
    ) async -> (rooms: [LeavingRoom], isMore: Bool) {
        var leaving: [LeavingRoom] = []
        var isMore = false
        for index in 0..<hostCount {
            let devices = limit - leaving.reduce(0) { $0 + $1.devices }
            let count = most - leaving.count
            let part = await submit(to: index) { $0.leave(devices: devices, rooms: count, except: those) }
            leaving += part.rooms
            isMore = isMore || part.isMore
        }
        return (leaving, isMore)
    }

    /// Makes another server the owner of rooms that are leaving.
    func give(_ leaving: [LeavingRoom], to other: Identifier) async -> RoomOwners.Gift {
        await RoomOwners.give(leaving.map { ($0.id, $0.term) }, of: incarnation, to: other, in: rows)
    }

    /// As `RoomHost.stay`, on the loops of the rooms.
    func stay(_ ids: [Identifier]) async {
        for (index, part) in parts(of: ids) { await submit(to: index) { $0.stay(part) } }
    }

    /// As `RoomHost.left`, on the loops of the rooms.
    func left(_ leaving: [LeavingRoom]) async {
        let rooms = Dictionary(leaving.map { ($0.id, $0) }) { $1 }
        for (index, part) in parts(of: leaving.map(\.id)) {
            await submit(to: index) { host in host.left(part.compactMap { rooms[$0] }) }
        }
    }
}
