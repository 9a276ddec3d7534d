import Contract
import Rooms
import TestKit

@testable import API
@testable import Cluster
@testable import Rooms

/// The rooms that an earlier process has left on a disk.
struct SavedRooms: Sendable {
    let words: [UInt64]
    let at: Timestamp

    init(words: [UInt64], at now: Timestamp) {
        self.words = words
        at = now
    }
}

/// The host of a process's rooms, on its loop, with the devices in them.
actor SimulatedHost {
    private let process: SimulatedProcess
    private nonisolated let loop: SimulatedLoop
    private nonisolated let world: ClusterWorld
    private nonisolated let handle: ProcessHandle
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private var host: RoomHost?
    private let storage: MemoryRoomStorage?
    private var saved: [SavedRoom] = []
    private var devices: [Int: SimulatedSink] = [:]
    /// The rooms that other servers have sent, for a planted bug.
    private var arrived: [Identifier: SavedRoom] = [:]

    init(_ process: SimulatedProcess, disk: SavedRooms?) {
        self.process = process
        loop = process.roomLoop
        world = process.world
        handle = process.handle
        guard let disk else {
            storage = nil
            return
        }
        let storage = MemoryRoomStorage(words: disk.words)
        self.storage = storage
        saved = SavedRoom.readAll(in: storage, RoomLogLayout(), now: disk.at)
        storage.keep(saved.flatMap(\.usedBlocks))
    }

    /// The words of the rooms on the disk.
    var words: [UInt64] { storage?.words ?? [] }

    /// The rooms of the earlier process.
    var left: [(id: Identifier, term: Int32)] { saved.map { ($0.id, $0.term) } }

    func claimed(_ terms: [Identifier: Int32]) {
        for index in saved.indices {
            if let term = terms[saved[index].id] { saved[index].term = term }
        }
    }

    /// Opens the host, once the saved rooms are claimed.
    func open() {
        let (world, handle) = (world, handle)
        var configuration = RoomConfiguration(
            now: { world.inPlace { $0.now } }, socketURL: { _, _, _, _ in "ws://balancer/socket" },
            frame: { _, payload, bytes in
                bytes += payload
                bytes.append(SimulatedSink.end)
            })
        configuration.incarnation = handle.incarnation
        configuration.alesPerSecond = 0
        let clock = process.service.clock
        if world.bug != .answersAlways { configuration.mayAnswer = { clock.mayAnswer } }
        configuration.retryAfter = { .milliseconds(world.inPlace { $0.draw(200...2_000) }) }
        host = RoomHost(
            configuration, journal: SimulatedJournal(world, handle), storage: storage, saved: saved)
        saved = []
    }

    func run<Value: Sendable>(_ body: @Sendable (RoomHost) -> Value) -> Value {
        guard let host else { preconditionFailure("the host is not open") }
        let value = body(host)
        if world.bug == .givesOpenRooms {
            for room in host.rooms.values where room.flow == .leaving { room.flow = .open }
        }
        return value
    }

    func apply(_ memberships: [Membership]) {
        let (arrived, handle) = (arrived, handle)
        run { host in
            for membership in memberships {
                if var room = arrived[membership.room], membership.owner == handle.incarnation,
                    host.term(of: membership.room) == nil
                {
                    room.term = membership.term - 1
                    _ = host.arrivals.keep(room, at: membership.opensAt)
                }
                host.apply(membership)
            }
        }
    }

    /// Remembers what other servers have sent for ever, whatever the term in which it is used: a planted bug.
    func remember(_ arriving: [SavedRoom]) { for room in arriving { arrived[room.id] = room } }

    // Devices.

    func join(_ entry: RoomHost.Entry, _ number: Int) throws(RoomHost.JoinError) {
        guard let host else { throw .uncertain }
        let device = SimulatedSink(number, world)
        let (peer, greeting) = try host.join(entry, device)
        device.peer = peer
        devices[number] = device
        let (room, term) = (peer.room.id, peer.room.term)
        world.inPlace { world in
            world.joined(number, room: room, term: term, at: handle)
            world.sent(greeting, to: number)
        }
    }

    /// As `join`. Returns the reason for which the device is not let in.
    func joinError(_ entry: RoomHost.Entry, _ number: Int) -> RoomHost.JoinError? {
        do throws(RoomHost.JoinError) {
            try join(entry, number)
            return nil
        } catch {
            return error
        }
    }

    func receive(_ bytes: [UInt8], from number: Int) {
        devices[number]?.receive(bytes)
    }

    /// Takes a device out whose connection has ended.
    func hangUp(_ number: Int) {
        guard let device = devices.removeValue(forKey: number) else { return }
        device.isOpen = false
        device.peer?.closed()
    }

    func has(_ number: Int) -> Bool { devices[number]?.isOpen ?? false }

    func closeAll() {
        while host?.closeDevices(.restarting, limit: 500, reason: { RetryAfter.reason(.milliseconds(200)) })
            ?? false
        {}
    }
}

/// One device in a room: the end of its connection at the server that has the room.
final class SimulatedSink: FrameSink {
    /// The byte after each frame.
    static let end = UInt8(ascii: "\n")

    private let number: Int
    private let world: ClusterWorld
    var peer: RoomPeer?
    var isOpen = true
    private var inbox: [[UInt8]] = []

    init(_ number: Int, _ world: ClusterWorld) {
        self.number = number
        self.world = world
    }

    func deliver(_ frame: RawSpan) {
        let bytes = frame.withUnsafeBytes { Array($0) }
        world.inPlace { [number] in $0.sent(bytes, to: number) }
    }

    func close(_ code: RoomClose, reason: String) {
        isOpen = false
        peer = nil
        inbox = []
        world.inPlace { [number] in $0.closed(number, code, reason: reason) }
    }

    func resume() { process() }

    func receive(_ bytes: [UInt8]) {
        inbox.append(bytes)
        process()
    }

    private func process() {
        while let peer, !inbox.isEmpty, !peer.holdsMessages {
            let message = inbox.removeFirst()
            peer.received(message.span.bytes, isText: true)
        }
    }
}

/// The reports of a host, which the database gets a moment later.
final class SimulatedJournal: RoomJournal {
    private let world: ClusterWorld
    private let handle: ProcessHandle

    init(_ world: ClusterWorld, _ handle: ProcessHandle) {
        self.world = world
        self.handle = handle
    }

    func entered(room: Identifier, registration: Identifier, at: Timestamp) {}

    func presenceChanged(room: Identifier, registration: Identifier, term: Int32?, present: Bool) {
        if present {
            world.inPlace { [handle] in $0.storePresence(of: registration, in: room, term, by: handle) }
        }
    }
}
