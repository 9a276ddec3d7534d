package import Cluster
import Contract
import Database
import HTTP1
package import HTTPServer
import Logging
import Reactor
import Rooms

/// The calls by which other servers hand their rooms to this one.
///
/// `POST /cluster/rooms` brings the state of rooms, which this server keeps aside. `POST /cluster/owned` says
/// that it owns them: it reads their rows, and opens those that name it. Nothing else opens a room, so that a
/// room is never at two servers.
package struct RoomArrivalsEndpoint: Sendable {
    private let rooms: RoomDirectory

    package init(rooms: RoomDirectory) { self.rooms = rooms }

    package func add(to router: inout Router, admittedBy peers: InternalAPI) {
        router.task(.post, PeerTalk.roomsPath, body: PeerTalk.maximumRoomBytes) { await keep($0, peers) }
        router.task(.post, PeerTalk.ownedPath, body: PeerTalk.maximumListBytes) { await open($0, peers) }
    }

    private func keep(_ request: HTTPRequest, _ peers: InternalAPI) async -> HTTPResponse {
        switch peers.admit(request, for: .rooms) {
        case .refused(let response): return response
        case .admitted(let assertion):
            guard let arriving = rooms.arriving(in: request.body) else {
                Log.warning("rooms of another server cannot be read", ["server": assertion.from])
                return HTTPResponse(status: 400)
            }
            return peers.json(PeerTalk.list(await rooms.keep(arriving)), to: assertion)
        }
    }

    private func open(_ request: HTTPRequest, _ peers: InternalAPI) async -> HTTPResponse {
        switch peers.admit(request, for: .owned) {
        case .refused(let response): return response
        case .admitted(let assertion):
            guard let ids = PeerTalk.rooms(in: request.body) else { return HTTPResponse(status: 400) }
            do {
                return peers.json(PeerTalk.list(try await rooms.openArriving(ids)), to: assertion)
            } catch {
                // The rooms stay aside. When a member enters one, its row is read again.
                return Self.unavailable
            }
        }
    }

    private static let unavailable = HTTPResponse(status: 503, headers: ["Retry-After": "1"])
}

extension OwnedRooms {
    /// Reads the rooms that another server hands over; nil if they cannot be read.
    func arriving(in bytes: [UInt8]) -> [SavedRoom]? { RoomTransfer.read(bytes, layout, now: now()) }

    /// Keeps rooms aside until this server has read that it owns them. Returns those that it has taken.
    func keep(_ arriving: [SavedRoom]) async -> [Identifier] {
        let rooms = Dictionary(arriving.map { ($0.id, $0) }) { $1 }
        var kept: [Identifier] = []
        for (index, part) in parts(of: arriving.map(\.id)) {
            kept += await submit(to: index) { host in
                part.filter { id in rooms[id].map { host.keep($0) } ?? false }
            }
        }
        return kept
    }

    /// Opens the rooms that were handed to this server, by their rows, and forgets the others. Returns those
    /// that are open.
    func openArriving(_ ids: [Identifier]) async throws -> [Identifier] {
        try await read(ids)
        for (index, part) in parts(of: ids) { await submit(to: index) { $0.forgetArriving(part) } }
        return await terms(of: ids).keys.sorted()
    }

    /// Has the database know that this server has the logs of those of the rooms that it has opened with what
    /// another one had. If this server is killed then, the next one on its disk goes on with them.
    func moveLogs(of rooms: [Identifier]) async throws {
        let unmoved = unmovedLogs.withLock { $0.intersection(rooms) }
        if unmoved.isEmpty { return }
        try await rows.moveLog(of: unmoved.sorted(), to: log, by: incarnation)
        unmovedLogs.withLock { $0.subtract(unmoved) }
    }

    /// Opens the rooms that were handed to this server and that it has not read yet, as far as it owns them.
    func openArriving() async throws {
        var ids: [Identifier] = []
        for index in 0..<hostCount { ids += await submit(to: index) { $0.arriving } }
        if !ids.isEmpty { try await read(ids.sorted()) }
    }
}
