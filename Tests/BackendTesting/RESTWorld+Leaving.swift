import Contract
import HTTPServer
import Postgres
import Reactor
import Testing

@testable import API
@testable import Database

extension RESTWorld {
    /// Runs a server with the calls by which people leave, which need rooms, and lends its port to the body.
    func servingLeaving<Value>(_ body: (UInt16) async throws -> Value) async throws -> Value {
        let log = Identifier(value: 1)
        let writer = PresenceWriter(pool: pool, serverName: "test", log: log, now: application.now)
        let rooms = await RoomDirectory(
            application, pool: pool, writer: writer, log: log, loops: [pool.loop], file: nil)
        let rest = REST(
            application: application,
            batcher: RegistrationBatcher(pool: pool, changed: application.changed),
            signIn: SignIn(application: application, refreshRooms: { await rooms.refresh($0) }),
            roomSnapshot: { _ in nil })
        var router = Router()
        Leaving(rest: rest, rooms: rooms).routes(into: &router)
        let server = try await HTTPServer(
            HTTPService(router: router, refuse: { Answer.refusal(for: $0, to: $1, id: $2) }), on: [pool.loop],
            binding: try #require(SocketAddress(numeric: "127.0.0.1", port: 0)), configuration: .patient)
        let value = try await body(server.address.port)
        await server.drain()
        return value
    }

    /// Removes what accounts have left that were deleted.
    func eraseDeletedAccounts() async throws {
        try await AccountErasureWorker(AccountErasure(pool: pool, now: application.now)).removeAll()
    }

    /// Sends `DELETE` to such a server; returns the status.
    func delete(_ path: String, _ token: String, _ port: UInt16) async throws -> Int {
        let lines = [
            "DELETE \(path) HTTP/1.1", "Host: test", "Connection: close", "Authorization: Bearer \(token)",
            "", "",
        ]
        return try await RawHTTP.exchange(port: port, Array(lines.joined(separator: "\r\n").utf8)).status
    }
}
