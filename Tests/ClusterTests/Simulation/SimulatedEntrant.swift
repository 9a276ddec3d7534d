import Contract
import Database
import HTTPServer
import Reactor
import Rooms
import Synchronization
import TestKit

@testable import API
@testable import Cluster

/// A device that was not let in at once, at the server where its client has knocked, or at the one to which
/// that server has brought it.
struct SimulatedEntrant: RoomEntrant {
    /// The result at the server to which another one has brought a device.
    enum Reply: Sendable {
        case open(Int)
        case notThere
        case refused
    }

    let entry: RoomHost.Entry
    let process: SimulatedProcess
    let socket: Int
    let device: Int
    let isFromServer: Bool
    let asksAll: Bool
    let result = Reported()

    /// The result that is reported to the server that has brought the device.
    final class Reported: Sendable {
        private let reply = Lock<Reply?>(nil)

        var value: Reply? {
            get { reply.withLock { $0 } }
            set { reply.withLock { $0 = newValue } }
        }
    }

    private var world: ClusterWorld { process.world }

    /// Admits the device of a client.
    static func admit(
        _ entry: RoomHost.Entry, at process: SimulatedProcess, socket: Int, device: Int
    ) async {
        let visitor = SimulatedEntrant(
            entry: entry, process: process, socket: socket, device: device, isFromServer: false,
            asksAll: false)
        do {
            try await process.rooms?.admit(visitor)
        } catch {
            visitor.world.inPlace { $0.refuse(socket) }
        }
    }

    /// Admits a device that another server brings.
    static func admit(
        _ entry: RoomHost.Entry, at process: SimulatedProcess, broughtFor socket: Int, asksAll: Bool
    ) async -> Reply {
        let device = process.world.inPlace { $0.device(of: socket, at: process, in: entry.room) }
        let visitor = SimulatedEntrant(
            entry: entry, process: process, socket: socket, device: device, isFromServer: true,
            asksAll: asksAll)
        guard let rooms = process.rooms else { return .refused }
        do throws(RoomHost.JoinError) {
            try await rooms.host.join(entry, device)
            return .open(device)
        } catch {
            guard error.mayBeOutdated else { return .refused }
        }
        do {
            try await rooms.admit(visitor)
            return visitor.result.value ?? .refused
        } catch {
            return .refused
        }
    }

    var room: Identifier { entry.room }
    var isCertain: Bool { process.service.clock.mayAnswer }
    var isWithoutDatabase: Bool { process.service.isOutage.load(ordering: .relaxed) }

    func untilCertain() async { await process.service.waitUntilCertain(atMost: .seconds(2)) }

    func join() -> Bool { (try? enter()) != nil }

    func joinIfHere() throws -> Bool {
        do throws(RoomHost.JoinError) {
            try enter()
            return true
        } catch {
            if error == .unknownRoom { return false }
            throw error
        }
    }

    func joinOrFail() async throws {
        if try joinIfHere() { return }
        // No room closes here.
        world.inPlace { $0.fail("a client is told that its room has closed") }
        throw RoomHost.JoinError.unknownRoom
    }

    private func enter() throws(RoomHost.JoinError) {
        guard let host = process.rooms?.host else { throw .uncertain }
        let (entry, device) = (entry, device)
        if let error = host.assumeIsolated({ $0.joinError(entry, device) }) { throw error }
        if isFromServer {
            result.value = .open(device)
            return
        }
        world.inPlace { _ = $0.relay(socket, to: device) }
    }

    func sendBack() { result.value = .notThere }

    func open(at owner: Identifier, term: Int32) async -> TunnelOutcome<Int> {
        await process.service.ask(owner) { await knock(at: owner, $0, asksAll: false) }
    }

    func openAnywhere() async -> TunnelOutcome<Int>? {
        for (peer, entry) in process.service.peers.all {
            guard let address = entry.address else { continue }
            switch await knock(at: peer, address, asksAll: true) {
            case .open(let link): return .open(link)
            case .answered(let response): return .answered(response)
            case .notOwner, .noAnswer, .full: continue
            }
        }
        return nil
    }

    private func knock(at owner: Identifier, _ address: String, asksAll: Bool) async -> OwnerAnswer<Int> {
        let (entry, socket) = (entry, socket)
        let result = await process.calls.call(address, owner, within: 2_000_000) { process in
            let reply = await Self.admit(entry, at: process, broughtFor: socket, asksAll: asksAll)
            if case .open(let device) = reply {
                process.world.inPlace { $0.expectRelay(of: device, on: socket) }
            }
            return reply
        }
        switch result {
        case .answer(.open(let device)): return .open(device)
        case .answer(.notThere): return .notOwner
        case .answer(.refused): return .answered(HTTPResponse(status: 503))
        case .refused: return .noAnswer(refused: true)
        case .stranger, .noAnswer: return .noAnswer(refused: false)
        }
    }

    func relay(to link: Int) -> Bool {
        world.inPlace { world in
            world.statistics.tunnels += 1
            return world.relay(socket, to: link)
        }
    }

    func answer(_ response: HTTPResponse) { world.inPlace { $0.refuse(socket) } }

    func count(_ step: TakeOverStep) {}
}

extension ClusterWorld {
    /// Ends a device that another server was told of, if that one has not taken it up in time.
    func expectRelay(of device: Int, on socket: Int) {
        after(2_500_000) { world in
            if world.sockets[socket]?.device != device { world.hangUp(device) }
        }
    }
}
