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
/// row of the room is changed; then the other server reads it; then the sockets are closed. A room that no
/// other server accepts goes on here until this server closes it, and is saved in the rooms file. A room
/// whose owner is uncertain is saved as well, but takes no more ales.
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
    /// The most rooms of one wave, and the most waves at a time: others are on their way while the sockets of
    /// one are closed.
    private static let roomsAtOnce = 250
    private static let wavesAtOnce = 4
    /// The size from which a request takes no more rooms, unless it has none yet.
    private static let batchBytes = 192 * 1024
    /// The time between two looks at rooms that cannot go yet.
    private static let pause = Duration.milliseconds(50)
    /// The time between two questions to a database that does not answer.
    private static let doubt = Duration.milliseconds(500)

    private let rooms: any OwnedRooms
    private let talk: any PeerCalls
    private let time: ClusterTime

    package init(rooms: any OwnedRooms, talk: any PeerCalls, in time: ClusterTime) {
        self.rooms = rooms
        self.talk = talk
        self.time = time
    }

    /// The result of handing over a wave of rooms.
    private struct WaveEnd: Sendable {
        /// The number of rooms that have gone.
        var gone = 0
        /// The rooms that their servers did not take.
        var refused: Set<Identifier> = []
        /// The servers that take no rooms.
        var lost: Set<Identifier> = []
        var isWithoutDatabase = false
    }

    /// Hands all rooms of this server to the others, some waves at a time, as long as one of them takes any.
    /// From now on no member enters a room here.
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
        await withTaskGroup(of: WaveEnd.self) { waves in
            var underWay = 0
            func finishOne() async {
                guard let end = await waves.next() else { return }
                underWay -= 1
                count += end.gone
                refused.formUnion(end.refused)
                receivers.removeAll { end.isWithoutDatabase || end.lost.contains($0.server.id) }
            }
            while !receivers.isEmpty, passed(since: begin) < Self.longest {
                // Rooms that other servers have handed to this one go on to the next.
                try? await rooms.openArriving()
                let wave = await rooms.leave(devices: pace.atOnce, rooms: Self.roomsAtOnce, except: refused)
                if wave.rooms.isEmpty {
                    if underWay > 0 {
                        // Some of its rooms may stay.
                        await finishOne()
                    } else if wave.isMore {
                        try? await time.sleep(Self.pause)
                    } else {
                        break
                    }
                    continue
                }
                underWay += 1
                waves.addTask { [receivers] in await hand(wave.rooms, to: receivers) }
                closed += wave.rooms.reduce(0) { $0 + $1.devices }
                try? await time.sleep(pace.time(for: closed) - passed(since: begin))
                if underWay == Self.wavesAtOnce { await finishOne() }
            }
            while underWay > 0 { await finishOne() }
        }
        let left = await rooms.openTerms().count
        if count + left > 0 { Log.info("rooms handed over", ["rooms": count, "left": left]) }
    }

    private func passed(since begin: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: time.monotonic() &- begin))
    }

    /// Hands rooms to the servers that are chosen for them. A server that takes none is not asked again.
    private func hand(_ leaving: [LeavingRoom], to servers: [Receiver]) async -> WaveEnd {
        await rooms.storeCounts()
        var (rest, receivers) = (leaving, servers)
        var end = WaveEnd()
        while !rest.isEmpty {
            let batches = Self.batches(rest, among: receivers)
            if batches.isEmpty {
                await rooms.stay(rest)
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
                    end.refused.formUnion(some)
                    switch outcome {
                    case .gone(let number): end.gone += number
                    case .notTaken(let rooms):
                        rest += rooms
                        end.lost.insert(batch.receiver.server.id)
                    case .noDatabase: end.isWithoutDatabase = true
                    }
                }
            }
            receivers.removeAll { end.isWithoutDatabase || end.lost.contains($0.server.id) }
        }
        return end
    }

    /// Hands rooms to one server. Returns the outcome, and the rooms that stay here since that server did not
    /// take them.
    private func hand(_ batch: Batch) async -> (Outcome, Set<Identifier>) {
        let (other, address) = (batch.receiver.server.id, batch.receiver.address)
        let state = RoomTransfer.encode(batch.rooms, rooms.layout)
        guard let taken = await talk.offer(state, to: other, at: address), !taken.isEmpty else {
            Log.warning("room hand-over refused by another server", ["server": other])
            return (.notTaken(batch.rooms), [])
        }
        let going = batch.rooms.filter { taken.contains($0.id) }
        let remaining = batch.rooms.filter { !taken.contains($0.id) }
        await rooms.stay(remaining)
        let staying = Set(remaining.map(\.id))
        let ids = going.map(\.id)
        switch await rooms.give(going, to: other) {
        case .given(let given):
            if await talk.tellOwned(ids, to: other, at: address) == nil {
                // It reads the row when a member enters.
                Log.warning("room hand-over not confirmed by another server", ["server": other])
            }
            await rooms.left(going.filter { given.contains($0.id) })
            // The rows of the others name their owners.
            if given.count < going.count { try? await rooms.read(ids.filter { !given.contains($0) }) }
            return (.gone(given.count), staying)
        case .refused:
            await rooms.stay(going)
            _ = await talk.tellOwned(ids, to: other, at: address)
            return (.noDatabase, staying)
        case .unknown:
            return (.noDatabase, staying)
        }
    }

    /// Hands one room to one server, while this server goes on. Does nothing if the room is not here.
    ///
    /// A statement that got no answer may change the row later. Once there is one, the room takes no more
    /// ales here until the database has said who owns it, however long that takes; only the end of this
    /// server ends the wait, and leaves the room to the rooms file.
    package func move(_ id: Identifier, to server: (incarnation: Identifier, entry: ServerEntry)) async {
        guard let address = server.entry.address,
            let leaving = await rooms.submit(to: rooms.index(of: id), { $0.leave(id) })
        else { return }
        let other = server.incarnation
        await rooms.storeCounts()
        let state = RoomTransfer.encode([leaving], rooms.layout)
        guard await talk.offer(state, to: other, at: address)?.contains(id) == true else {
            await rooms.stay([leaving])
            return Log.warning("room move refused by another server", ["room": id, "server": other])
        }
        var isInDoubt = false
        while true {
            switch await rooms.give([leaving], to: other) {
            case .given(let given):
                _ = await talk.tellOwned([id], to: other, at: address)
                if given.isEmpty { return await reread(id) }
                await rooms.left([leaving])
                return Log.info("room moved", ["room": id, "server": other])
            case .refused where !isInDoubt:
                await rooms.stay([leaving])
                return Log.warning("room not moved: the database refused", ["room": id])
            case .refused, .unknown:
                if !isInDoubt {
                    Log.warning(
                        "room owner uncertain; its ales wait for the database",
                        ["room": id, "server": other])
                }
                isInDoubt = true
                guard (try? await time.sleep(Self.doubt)) != nil else { return }
            }
        }
    }

    /// Reads who has a room, until there is an answer or this server ends.
    private func reread(_ id: Identifier) async {
        while (try? await rooms.read([id])) == nil {
            guard (try? await time.sleep(Self.doubt)) != nil else { return }
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
    func stay(_ leaving: [LeavingRoom]) async {
        for (index, part) in parts(of: leaving) { await submit(to: index) { $0.stay(part) } }
    }

    /// As `RoomHost.left`, on the loops of the rooms.
    func left(_ leaving: [LeavingRoom]) async {
        for (index, part) in parts(of: leaving) { await submit(to: index) { $0.left(part) } }
    }

    private func parts(of leaving: [LeavingRoom]) -> [(index: Int, rooms: [LeavingRoom])] {
        Dictionary(grouping: leaving) { index(of: $0.id) }.sorted { $0.key < $1.key }.map {
            ($0.key, $0.value)
        }
    }
}
