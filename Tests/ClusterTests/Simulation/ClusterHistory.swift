import Contract
import Rooms

@testable import Cluster

/// The things that the checks of a world remember.
struct ClusterHistory {
    struct RoomAt: Hashable {
        let room: Identifier
        let handle: ProcessHandle
    }

    struct RoomTerm: Hashable {
        let room: Identifier
        let term: Int32
    }

    struct Reading: Hashable {
        let room: RoomAt
        let term: Int32
    }

    struct AleNumber: Hashable {
        let epoch: String
        let number: Int64
    }

    struct AleId: Hashable {
        let epoch: String
        let id: String
    }

    /// The last term of each room whose owner has acknowledged an ale, and that owner.
    private var acknowledged: [Identifier: (term: Int32, owner: ProcessHandle)] = [:]
    /// The terms that began by mistake.
    private var mistaken: Set<RoomTerm> = []
    /// The rooms that processes have read themselves as the owners of.
    private var readings: Set<Reading> = []
    /// The epoch of each term in which a client has entered the room.
    private var epochs: [RoomTerm: String] = [:]
    /// The terms of the rooms that were sent to a process which has not forgotten them.
    private var arrivals: [RoomAt: Int32] = [:]
    /// The processes that have to go on with the log of the term before.
    private var heirs: [RoomTerm: ProcessHandle] = [:]
    private var ids: [AleNumber: String] = [:]
    private var numbers: [AleId: Int64] = [:]
    /// The records that really have what a member did, by room and registration.
    private var logs: [Identifier: [Identifier: Identifier]] = [:]

    // Owners.

    mutating func read(_ room: Identifier, _ term: Int32, at handle: ProcessHandle) {
        readings.insert(Reading(room: RoomAt(room: room, handle: handle), term: term))
    }

    func hasRead(_ room: Identifier, _ term: Int32, at handle: ProcessHandle) -> Bool {
        readings.contains(Reading(room: RoomAt(room: room, handle: handle), term: term))
    }

    /// Notes that a server acknowledges an ale as the owner in that term. Returns the owner of a higher term
    /// that has done so before, or another owner of the same one; nil if there is none.
    mutating func acknowledges(
        _ room: Identifier, _ term: Int32, at handle: ProcessHandle
    ) -> (term: Int32, owner: ProcessHandle)? {
        guard let last = acknowledged[room], last.term >= term else {
            acknowledged[room] = (term, handle)
            return nil
        }
        return last.owner == handle && last.term == term ? nil : last
    }

    /// Notes that a room was taken from a server that refuses connections and has no lock: by the rules its
    /// process has ended, though it lives.
    mutating func takesForEnded(_ room: Identifier, _ term: Int32) {
        mistaken.insert(RoomTerm(room: room, term: term))
    }

    func wasTakenForEnded(_ room: Identifier, in term: Int32) -> Bool {
        mistaken.contains(RoomTerm(room: room, term: term))
    }

    // Hand-over.

    mutating func keeps(_ room: Identifier, _ term: Int32, at handle: ProcessHandle) {
        arrivals[RoomAt(room: room, handle: handle)] = term
    }

    mutating func forgetArrival(of room: Identifier, at handle: ProcessHandle) {
        arrivals[RoomAt(room: room, handle: handle)] = nil
    }

    /// Notes that a process is about to claim a room of that term: it has forgotten what it was sent.
    mutating func claims(_ room: Identifier, _ term: Int32, at handle: ProcessHandle) {
        forgetArrival(of: room, at: handle)
        let key = RoomTerm(room: room, term: term + 1)
        if heirs[key] == handle { heirs[key] = nil }
    }

    mutating func gives(_ room: Identifier, _ term: Int32, to handle: ProcessHandle) {
        let place = RoomAt(room: room, handle: handle)
        if arrivals[place] == term { heirs[RoomTerm(room: room, term: term + 1)] = handle }
        arrivals[place] = nil
    }

    /// Notes that a process was told of rooms. It forgets those that it does not own.
    mutating func toldOwned(_ rooms: [Identifier], at handle: ProcessHandle, _ database: ModelDatabase) {
        for room in rooms where database.rooms[room]?.owner != handle.incarnation {
            forgetArrival(of: room, at: handle)
        }
    }

    // Disks.

    mutating func notes(_ log: Identifier, of registration: Identifier, in room: Identifier) {
        logs[room, default: [:]][registration] = log
    }

    mutating func movesLog(of room: Identifier, to log: Identifier) {
        logs[room] = logs[room]?.mapValues { _ in log }
    }

    /// Notes that a process claims a room that an earlier one has left on its disk in that term.
    mutating func restores(
        _ room: Identifier, _ term: Int32, at handle: ProcessHandle, _ database: ModelDatabase
    ) {
        let log = Identifier(value: UInt128(handle.index + 1))
        if (logs[room] ?? [:]).values.allSatisfy({ $0 == log }) {
            heirs[RoomTerm(room: room, term: term + 1)] = handle
        }
    }

    // Logs.

    /// Notes the epoch that a device is told. Returns what is wrong with it.
    mutating func greets(
        _ room: Identifier, _ term: Int32, at handle: ProcessHandle, epoch: String
    ) -> String? {
        let key = RoomTerm(room: room, term: term)
        defer { epochs[key] = epoch }
        if let known = epochs[key], known != epoch { return "a term has two epochs" }
        guard heirs[key] == handle, let before = epochs[RoomTerm(room: room, term: term - 1)],
            before != epoch
        else { return nil }
        return "the log was not continued by \(handle) in term \(term)"
    }

    /// Notes the number of an acknowledged ale. Returns what is wrong with it.
    mutating func numbers(_ id: String, as number: Int64, in epoch: String) -> String? {
        let (place, ale) = (AleNumber(epoch: epoch, number: number), AleId(epoch: epoch, id: id))
        defer {
            ids[place] = id
            numbers[ale] = number
        }
        if let other = ids[place], other != id { return "ales \(other) and \(id) both have number \(number)" }
        if let other = numbers[ale], other != number { return "ale \(id) has numbers \(other) and \(number)" }
        return nil
    }
}

extension ClusterWorld {
    /// The time after which a server that reaches another one again has learnt of the owners of its rooms.
    static let grace: Int64 = 3_000_000

    func haveRead(_ memberships: [Membership], at handle: ProcessHandle) {
        for membership in memberships where membership.owner == handle.incarnation {
            history.read(membership.room, membership.term, at: handle)
        }
    }

    /// Notes which servers reach no other, before anything changes.
    func observe() {
        for index in servers.indices where !canLearn(index) { servers[index].blindAt = elapsed }
    }

    /// Notes that a server has asked the database for others. Without an answer in time it tells them of its
    /// own rooms alone, for a second.
    func hasAsked(_ handle: ProcessHandle, since begun: Int64, isAnswered: Bool) {
        if isAnswered && elapsed - begun < 300_000 { return }
        servers[handle.index].vagueAt = elapsed
        observe()
    }

    /// Whether a server can hear who owns its rooms: from the database, or from a server that reaches it.
    private func canLearn(_ index: Int) -> Bool {
        if isOutage { return false }
        if network.isOpen(between: index, and: network.database) { return true }
        guard let process = servers[index].process else { return true }
        return servers.indices.contains { other in
            guard other != index, !servers[other].isPaused, let peer = ready(other) else { return false }
            return process.service.peers.find(peer.incarnation) != nil
                && network.isOpen(between: index, and: other)
                && !network.isRefused(from: index, to: other) && !network.isDeaf(other)
                && network.isOpen(between: other, and: network.database)
                && elapsed - servers[other].vagueAt > 1_000_000
        }
    }

    /// Checks what a server sends to a device of a room.
    func check(_ frame: SentFrame, of connection: SimulatedConnection, _ number: Int) {
        let (room, term, handle) = (connection.room, connection.term, connection.owner)
        switch frame {
        case .handshake(let epoch, let seq, let recovered):
            connections[number]?.epoch = epoch
            if recovered { statistics.recovered += 1 }
            note(
                "\(handle) greets client \(client(of: number)), room \(room.number), term \(term), at \(seq)"
            )
            if let wrong = history.greets(room, term, at: handle, epoch: epoch) { fail(wrong) }
        case .acknowledgement(let id, let seq):
            statistics.acknowledged += 1
            if !history.hasRead(room, term, at: handle) {
                fail("\(handle) serves room \(room.number) in term \(term) unread")
            }
            if let higher = history.acknowledges(room, term, at: handle) {
                observe()
                let isExcused =
                    elapsed - servers[handle.index].blindAt <= Self.grace
                    || history.wasTakenForEnded(room, in: higher.term)
                note("\(handle) acknowledges \(id) in term \(term) after \(higher): \(isExcused)")
                statistics.excused += isExcused ? 1 : 0
                if !isExcused {
                    fail("\(handle) acknowledges in term \(term) of room \(room.number) after \(higher)")
                }
            }
            if let wrong = history.numbers(id, as: seq, in: connection.epoch) { fail(wrong) }
        case .ale, .other: break
        }
    }

    private func client(of number: Int) -> Int {
        connections[number].flatMap { sockets[$0.socket]?.client } ?? -1
    }

    /// Checks that all members of a room are at its owner.
    func checkTogether() {
        for (id, row) in database.rooms.sorted(by: { $0.key < $1.key }) {
            var places: Set<ProcessHandle> = []
            for client in clients where client.room == id {
                guard client.isOpen, let device = client.socket.flatMap({ sockets[$0]?.device }),
                    let connection = connections[device]
                else {
                    fail("client \(client.index) is not in room \(id.number) ten seconds after the faults")
                    continue
                }
                places.insert(connection.owner)
                if connection.owner.incarnation != row.owner || connection.term != row.term {
                    fail("client \(client.index) is at \(connection.owner), which does not own its room")
                }
            }
            if places.count > 1 { fail("the people of room \(id.number) are at \(places.count) servers") }
        }
    }
}
