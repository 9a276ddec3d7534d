import Cluster
import Contract
import Database
import HTTP1
import HTTPServer
import Reactor
import Rooms
import Settings

/// A socket that was not let into a room at once. Its loop is the room's.
struct SocketEntrant: RoomEntrant {
    let entry: RoomHost.Entry
    let source: SocketEndpoint.Source
    let connection: LoopBound<WebSocketConnection>
    /// The instant at which it came, in nanoseconds.
    let begin: UInt64
    let endpoint: SocketEndpoint

    var room: Identifier { entry.room }
    var isFromServer: Bool { if case .server = source { true } else { false } }
    var asksAll: Bool { if case .server(let server) = source { server.asksAll } else { false } }
    var isCertain: Bool { endpoint.rooms.mayAnswer() }
    var isWithoutDatabase: Bool { endpoint.tunnels.isWithoutDatabase }

    func untilCertain() async { await endpoint.tunnels.untilCertain() }

    func join() -> Bool { (try? endpoint.join(entry, connection.value)) != nil }

    func joinIfHere() throws -> Bool {
        do throws(RoomHost.JoinError) {
            try endpoint.join(entry, connection.value)
            return true
        } catch {
            if error == .unknownRoom { return false }
            throw SocketEndpoint.problem(for: error)
        }
    }

    func joinOrFail() async throws {
        if try joinIfHere() { return }
        let wasThere = try await endpoint.rooms.wasThere(entry.room, of: entry.user)
        throw wasThere ? SocketEndpoint.closed : SocketEndpoint.noSuchRoom
    }

    func sendBack() { endpoint.refuse(connection.value, HTTPResponse(status: 421), to: source) }

    func open(at owner: Identifier, term: Int32) async -> RoomTunnels.Outcome {
        await endpoint.tunnels.open(request(term), to: owner, on: endpoint.rooms.loop(of: room))
    }

    func openAnywhere() async -> RoomTunnels.Outcome? {
        await endpoint.tunnels.openAnywhere(request(0), on: endpoint.rooms.loop(of: room))
    }

    func relay(to link: OpenLink) -> Bool {
        connection.value.relay(to: link, SocketTuning(entry.options))
    }

    func answer(_ response: HTTPResponse) async {
        await endpoint.refuse(connection, response, to: source)
    }

    func count(_ step: TakeOverStep) {
        let metrics = endpoint.tunnels.metrics
        switch step {
        case .unreachable: metrics.knocked(at: room, begin)
        case .taken: metrics.tookRoom()
        case .opened: metrics.opened(room, knock: begin, now: Monotonic.nanoseconds())
        }
    }

    private func request(_ term: Int32) -> RoomTunnels.Request {
        var client = ""
        if case .client(let request) = source { client = request.client.description }
        return RoomTunnels.Request(
            claim: PeerAssertion.SocketClaim(
                room: entry.room, user: entry.user, tokenVersion: entry.tokenVersion, term: term,
                version: entry.version == .two ? 2 : 1, client: client),
            resuming: entry.position.map { ($0.epoch, $0.since) }, options: entry.options,
            language: source.language, id: source.id)
    }
}
