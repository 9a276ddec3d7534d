import Contract
import Rooms
import TestKit

@testable import Rooms

/// A client of one member: it knocks at any server, sends ales and resends those without an acknowledgement,
/// and comes back with its position.
struct SimulatedClient {
    let index: Int
    let user: Identifier
    let room: Identifier
    var socket: Int?
    var isOpen = false
    var epoch: String?
    var seen: Int64 = 0
    /// The ales that are not acknowledged.
    var pending: [String] = []
    var count = 0

    /// The most ales that are sent and not acknowledged.
    static let mostPending = 10
}

extension ClusterWorld {
    // Coming.

    /// The client knocks at one of the servers.
    func connect(_ index: Int) {
        guard clients[index].socket == nil, !isEnding else { return }
        let server = Int(draw(0...Int64(servers.count - 1)))
        let number = number()
        let handle = ProcessHandle(index: server, generation: servers[server].generation)
        sockets[number] = SimulatedSocket(client: index, entry: handle)
        clients[index].socket = number
        // A client gives up an attempt that does not end.
        after(6_000_000) { world in
            guard world.clients[index].socket == number, !world.clients[index].isOpen else { return }
            world.leave(index)
            world.connectLater(index, 100_000...1_000_000)
        }
        after(delay()) { $0.knock(number) }
    }

    func connectLater(_ index: Int, _ pause: ClosedRange<Int64>) {
        after(draw(pause)) { $0.connect(index) }
    }

    private func knock(_ number: Int) {
        guard let socket = sockets[number] else { return }
        let index = socket.entry.index
        if servers[index].state == .lost { return }
        guard isAlive(socket.entry), let process = ready(index) else {
            return refuse(number, 100_000...1_000_000)
        }
        let client = clients[socket.client]
        let entry = RoomHost.Entry(
            room: client.room, user: client.user, tokenVersion: 1, version: .two,
            position: client.epoch.map { RoomHost.Position(epoch: $0, since: client.seen) })
        let device = device(of: number, at: process, in: client.room)
        servers[index].roomLoop.execute {
            guard let host = process.rooms?.host else { return }
            let error = host.assumeIsolated { $0.joinError(entry, device) }
            self.inPlace { world in
                guard let error else {
                    _ = world.relay(number, to: device)
                    return
                }
                if !error.mayBeOutdated { return world.refuse(number, 500_000...2_000_000) }
                world.start(on: process.roomLoop) {
                    await SimulatedEntrant.admit(entry, at: process, socket: number, device: device)
                }
            }
        }
    }

    /// Makes a device for a socket at a server.
    func device(of socket: Int, at process: SimulatedProcess, in room: Identifier) -> Int {
        let number = number()
        connections[number] = SimulatedConnection(socket: socket, owner: process.handle, room: room)
        sockets[socket]?.devices.append(number)
        return number
    }

    /// A client is not let in.
    func refuse(_ number: Int, _ pause: ClosedRange<Int64> = 500_000...1_500_000) {
        guard let socket = sockets.removeValue(forKey: number) else { return }
        after(delay()) { $0.lost(number, of: socket.client, pause) }
    }

    // Talking.

    /// Something arrives at the client.
    func receive(_ item: SocketItem, on number: Int) {
        guard let index = sockets[number]?.client, clients[index].socket == number else { return }
        switch item {
        case .frames(let bytes): for frame in SentFrame.frames(in: bytes) { receive(frame, index) }
        case .close(let code, let wait):
            leave(index)
            guard code != .moved else { return connectLater(index, 20_000...300_000) }
            let pause = wait?.wholeMicroseconds ?? 500_000
            connectLater(index, pause...pause + 100_000)
        case .message, .hangUp: break
        }
    }

    private func receive(_ frame: SentFrame, _ index: Int) {
        switch frame {
        case .handshake(let epoch, let seq, let recovered):
            clients[index].isOpen = true
            if !recovered {
                clients[index].epoch = epoch
                clients[index].seen = seq
            }
            for id in clients[index].pending { send(id, from: index) }
        case .ale(let seq): clients[index].seen = max(clients[index].seen, seq)
        case .acknowledgement(let id, let seq):
            clients[index].seen = max(clients[index].seen, seq)
            clients[index].pending.removeAll { $0 == id }
        case .other: break
        }
    }

    /// Sends an ale now and then.
    func sendLater(_ index: Int) {
        after(draw(plan.alePause / 2...plan.alePause * 3 / 2)) { world in
            world.sendLater(index)
            guard world.clients[index].pending.count < SimulatedClient.mostPending else { return }
            world.clients[index].count += 1
            let id = "\(index)-\(world.clients[index].count)"
            world.clients[index].pending.append(id)
            if world.clients[index].isOpen { world.send(id, from: index) }
        }
    }

    private func send(_ id: String, from index: Int) {
        guard let number = clients[index].socket, let device = sockets[number]?.device else { return }
        var bytes: [UInt8] = []
        ClientMessage.appendAle(room: nil, messageId: id, to: &bytes)
        pass(.message(bytes), device)
    }

    // Going.

    /// The client closes its socket now and then, without a reason.
    func dropLater(_ index: Int) {
        after(draw(plan.dropPause / 2...plan.dropPause * 3 / 2)) { world in
            if world.isCalm { return }
            world.dropLater(index)
            guard world.clients[index].socket != nil else { return }
            world.leave(index)
            world.connectLater(index, 10_000...1_000_000)
        }
    }

    /// The client ends its socket, or has heard that it has ended.
    private func leave(_ index: Int) {
        guard let number = clients[index].socket else { return }
        clients[index].socket = nil
        clients[index].isOpen = false
        if let device = sockets[number]?.device { pass(.hangUp, device) }
        // Frames under way arrive for a moment, until both ends have noticed the end.
        let waits = sockets[number]?.waiting ?? []
        sockets[number]?.device = nil
        for (device, item) in waits where !item.isDown { hangUp(device, after: Self.silence) }
        sockets[number] = nil
    }

    /// The client hears that its socket is gone.
    func lost(_ number: Int, of index: Int, _ pause: ClosedRange<Int64> = 100_000...1_000_000) {
        guard clients[index].socket == number else { return }
        clients[index].socket = nil
        clients[index].isOpen = false
        connectLater(index, pause)
    }
}
