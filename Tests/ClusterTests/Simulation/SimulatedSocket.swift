import Contract
import Rooms
import TestKit

/// The connection of a client to the server where it has knocked.
struct SimulatedSocket {
    let client: Int
    let entry: ProcessHandle
    /// The device at the server that has the room, once it has let the client in.
    var device: Int?
    /// The devices that were made for the client, in their order.
    var devices: [Int] = []
    /// The frames of devices that came before the client knew of them.
    var early: [Int: [SocketItem]] = [:]
    var lastDown: Int64 = 0
    var lastUp: Int64 = 0
    /// Items that wait for the network, in their order.
    var waiting: [(device: Int, item: SocketItem)] = []
}

/// The end of a connection at the server that has the room.
struct SimulatedConnection {
    let socket: Int
    let owner: ProcessHandle
    var room: Identifier
    var term: Int32 = 0
    var epoch = ""
}

/// Something on its way through a socket.
enum SocketItem: Sendable {
    // To the client.
    case frames([UInt8])
    case close(RoomClose, retryAfter: Duration?)
    // To the server.
    case message([UInt8])
    case hangUp

    var isDown: Bool {
        switch self {
        case .frames, .close: true
        case .message, .hangUp: false
        }
    }
}

extension ClusterWorld {
    /// The time after which the ends of a connection notice that nothing passes any more.
    static let silence: Int64 = 5_000_000

    // From the host.

    func joined(_ number: Int, room: Identifier, term: Int32, at handle: ProcessHandle) {
        connections[number]?.term = term
        if !history.hasRead(room, term, at: handle), isAlive(handle) {
            fail("\(handle) lets a client into room \(room.number) in term \(term) unread")
        }
        // The client may have gone while it waited.
        guard let connection = connections[number], sockets[connection.socket] != nil else {
            return hangUp(number)
        }
    }

    func sent(_ bytes: [UInt8], to number: Int) {
        guard let connection = connections[number], isAlive(connection.owner) else { return }
        for frame in SentFrame.frames(in: bytes) { check(frame, of: connection, number) }
        pass(.frames(bytes), number)
    }

    func closed(_ number: Int, _ code: RoomClose, reason: String) {
        guard let connection = connections[number], isAlive(connection.owner) else { return }
        note(
            "\(connection.owner) closes client \(sockets[connection.socket]?.client ?? -1): \(code)"
        )
        pass(.close(code, retryAfter: RetryAfter.read(reason)), number)
    }

    // On the way.

    /// Sends an item over the socket of a device, after those before it.
    func pass(_ item: SocketItem, _ number: Int) {
        guard let connection = connections[number], let socket = sockets[connection.socket] else { return }
        let (entry, owner) = (socket.entry, connection.owner)
        if isBlocked(entry, owner) {
            sockets[connection.socket]?.waiting.append((number, item))
            return
        }
        let time = delay() + (entry == owner ? 0 : delay())
        if item.isDown {
            let due = max(socket.lastDown + 1, elapsed + time)
            sockets[connection.socket]?.lastDown = due
            after(due - elapsed) { $0.arrive(item, number) }
        } else {
            let due = max(socket.lastUp + 1, elapsed + time)
            sockets[connection.socket]?.lastUp = due
            after(due - elapsed) { $0.reach(item, number) }
        }
    }

    /// Whether nothing passes between a server where a client has entered and the one that has the room.
    private func isBlocked(_ entry: ProcessHandle, _ owner: ProcessHandle) -> Bool {
        if entry == owner { return false }
        return servers[entry.index].isPaused || !network.isOpen(between: entry.index, and: owner.index)
    }

    /// Sends what has waited for the network.
    func goOnWithSockets() {
        for (number, socket) in sockets.sorted(by: { $0.key < $1.key }) where !socket.waiting.isEmpty {
            sockets[number]?.waiting = []
            for (device, item) in socket.waiting { pass(item, device) }
        }
    }

    /// An item arrives at the client.
    private func arrive(_ item: SocketItem, _ number: Int) {
        guard let connection = connections[number], let socket = sockets[connection.socket],
            isAlive(socket.entry)
        else { return }
        guard let device = socket.device else {
            sockets[connection.socket]?.early[number, default: []].append(item)
            return
        }
        if device == number { receive(item, on: connection.socket) }
    }

    /// An item arrives at the server that has the room.
    private func reach(_ item: SocketItem, _ number: Int) {
        guard let connection = connections[number], isAlive(connection.owner),
            let host = servers[connection.owner.index].process?.rooms?.host
        else { return }
        servers[connection.owner.index].roomLoop.execute {
            host.assumeIsolated { host in
                if case .message(let bytes) = item { host.receive(bytes, from: number) }
                if case .hangUp = item { host.hangUp(number) }
            }
        }
    }

    /// The server where the client has knocked has found the device of the client: bytes pass from now on.
    /// Returns false if the client is gone.
    func relay(_ socket: Int, to number: Int) -> Bool {
        guard sockets[socket] != nil else {
            hangUp(number)
            return false
        }
        guard let connection = connections[number], isAlive(connection.owner) else {
            // The other server has ended meanwhile.
            breakSocket(socket, noticedAfter: 0)
            return true
        }
        sockets[socket]?.device = number
        for item in sockets[socket]?.early.removeValue(forKey: number) ?? [] { receive(item, on: socket) }
        return true
    }

    // The end.

    /// Has the server that has the room know that a connection is gone, a moment later.
    func hangUp(_ number: Int, after pause: Int64? = nil) {
        after(pause ?? delay()) { $0.reach(.hangUp, number) }
    }

    /// Ends a socket without a word, as the network or a process does.
    func breakSocket(_ number: Int, noticedAfter pause: Int64) {
        guard let socket = sockets.removeValue(forKey: number) else { return }
        for device in socket.devices { hangUp(device, after: pause) }
        after(pause + delay()) { $0.lost(number, of: socket.client) }
    }

    /// Ends the sockets of a process that is gone.
    func breakSockets(of handle: ProcessHandle, isLost: Bool) {
        let pause = isLost ? Self.silence : 0
        for (number, socket) in sockets.sorted(by: { $0.key < $1.key }) {
            let owner = socket.device.flatMap { connections[$0]?.owner }
            if socket.entry == handle || owner == handle { breakSocket(number, noticedAfter: pause) }
        }
    }

    /// Ends the tunnels between two servers that nothing has passed for a while.
    func breakTunnels(between one: Int, and other: Int) {
        for (number, socket) in sockets.sorted(by: { $0.key < $1.key }) {
            guard let owner = socket.device.flatMap({ connections[$0]?.owner }), socket.entry != owner
            else { continue }
            let ends = [socket.entry.index, owner.index]
            if ends == [one, other] || ends == [other, one] { breakSocket(number, noticedAfter: 0) }
        }
    }
}
