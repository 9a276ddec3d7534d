import Client
import Contract
import Postgres
import PostgresTesting
import TestKit
import Testing

@Suite("Leaving a room that is open", .timeLimit(.minutes(5)))
struct LeavingTests {
    @Test("by a new token's first use closes sockets with 1008, ends event streams, and voids tickets")
    func newToken() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let details = try await ada.roomOpened()
            let adas = try await RoomSocket.open(url: details.socketUrl)
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await adas.skip(to: "presence")
            let stream = try await Wire.events(of: ada)
            let token = try await ada.api.rotateToken()
            // The old token is valid until the new token is used.
            _ = try await ada.api.me()
            _ = try await RoomSocket.open(url: details.socketUrl).message("handshake")
            let renewed = try await Wire.events(of: ada.with(token: token))
            #expect(try await adas.close() == .closed(1008, "the token was replaced"))
            _ = try await stream.readAll()
            let old = await #expect(throws: ClientError.self) { try await ada.api.me() }
            guard case .problem(let problem) = old else { throw TestError("\(String(describing: old))") }
            #expect(problem.status == 401)
            let ticket = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(url: details.socketUrl)
            }
            #expect(ticket?.status == 401)
            #expect(try await beas.skip(to: "presence")["present"]?.bool == false)
            let back = try await RoomSocket.open(
                "/socket?id=\(room)&token=\(token)", port: server.port, protocols: ["letsswitch.v2"])
            _ = try await back.message("handshake")
            // A socket that was opened with the new token stays, whatever the server hears of the old one.
            try await bea.api.cancel(try await bea.roomOpened().registrationId)
            try await back.becomes(["Ada"])
            #expect(try await renewed.read() != nil)
        }
    }

    @Test("by revoking one token closes what is open under it, and nothing else")
    func revokedToken() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let made = try await ada.api.makeToken(NewToken(name: "Tablet"))
            let tablet = ada.with(token: made.token)
            let beas = try await RoomSocket.open(room, as: bea)
            let adas = try await RoomSocket.open(room, as: ada)
            let tablets = try await RoomSocket.open(room, as: tablet)
            let ticket = try await tablet.roomOpened().socketUrl
            let byTicket = try await RoomSocket.open(url: ticket)
            for socket in [adas, tablets, byTicket] { _ = try await socket.message("handshake") }
            _ = try await beas.skip(to: "presence")
            let (kept, ended) = (try await Wire.events(of: ada), try await Wire.events(of: tablet))
            try await ada.api.revokeToken(made.details.id)
            #expect(try await tablets.close() == .closed(1008, "the token is no longer valid"))
            #expect(try await byTicket.close() == .closed(1008, "the token is no longer valid"))
            _ = try await ended.readAll()
            for attempt in [tablet.token, nil] {
                let refused = await #expect(throws: RoomSocket.APIError.self) {
                    guard attempt != nil else {
                        _ = try await RoomSocket.open(url: ticket)
                        return
                    }
                    _ = try await RoomSocket.open(room, as: tablet)
                }
                #expect(refused?.status == 401)
            }
            // The socket under the other token stays open, and no member is told that Ada has left.
            await adas.cheer()
            _ = try await beas.message("aleResponse")
            try await bea.api.cancel(try await bea.roomOpened().registrationId)
            try await adas.becomes(["Ada"])
            #expect(try await kept.read() != nil)
        }
    }

    @Test("by recovering the account closes everything that was open")
    func recovered() async throws {
        try await Stage.withServer { stage, server in
            let (ada, _, room) = try await SocketVersion2Tests.two(stage, server)
            let code = try await ada.api.makeRecoveryCode()
            let other = ada.with(token: try await ada.api.makeToken(NewToken(name: "Tablet")).token)
            let (adas, others) = (
                try await RoomSocket.open(room, as: ada), try await RoomSocket.open(room, as: other)
            )
            let stream = try await Wire.events(of: other)
            let recovered = try await ada.with(token: "").api.recover(with: code)
            #expect(try await adas.close() == .closed(1008, "the token was replaced"))
            #expect(try await others.close() == .closed(1008, "the token is no longer valid"))
            _ = try await stream.readAll()
            let back = try await RoomSocket.open(room, as: ada.with(token: recovered.token))
            _ = try await back.message("handshake")
        }
    }

    @Test("by cancelling closes the socket with 1008, and the partner is told")
    func cancelling() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let details = try await ada.roomOpened()
            let adas = try await RoomSocket.open(room, as: ada)
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await adas.skip(to: "presence")
            try await ada.api.cancel(details.registrationId)
            try await ada.api.cancel(details.registrationId)
            try await adas.closes(with: 1008)
            try await beas.becomes(["Bea"])
            let changed = try await bea.roomChanged { $0.partners.isEmpty }
            #expect(changed.roomId == room)
            let refused = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(url: details.socketUrl)
            }
            #expect(refused?.status == 404)
        }
    }

    @Test("by deleting the account closes with 1008, and leaves a former user without task and tag")
    func deleting() async throws {
        try await Stage.withServer { stage, server in
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let before = try await bea.roomOpened()
            #expect(before.partners.map(\.name) == ["Ada"])
            #expect(before.partners.map(\.task) == ["Paint"])
            let adas = try await RoomSocket.open(room, as: ada)
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await adas.skip(to: "presence")
            try await ada.api.deleteMe()
            try await adas.closes(with: 1008)
            try await beas.becomes(["Bea"])
            _ = try await bea.roomChanged { $0.partners.isEmpty }
            let after = try await bea.roomOpened()
            #expect(after.partners.map(\.name) == ["former user"])
            #expect(after.partners.map(\.task) == [nil])
            #expect(after.partners.map(\.tag) == [nil])
        }
    }

    /// Waits until so many entries are stored: until then another server than the one of the room does not
    /// know of them.
    private static func waitForEntries(_ count: Int64, in stage: Stage) async throws {
        try await withPostgresConnection(
            stage.database.configuration, on: TestLoops.next()
        ) { connection in
            try await eventually {
                let rows = try await connection.query(
                    "SELECT count(*) FROM members WHERE entered_at IS NOT NULL")
                return try rows.first?.decode(0, Int64.self) == count
            }
        }
    }

    @Test("makes room: the fourth one gets a partner of the three who has not come yet")
    func fourth() async throws {
        try await Stage.withServer { stage, server in
            let slot = stage.grid.openSlot
            let (ada, bea, room) = try await SocketVersion2Tests.two(stage, server)
            let cid = try await Person(named: "Cid", on: server)
            let dan = try await Person(named: "Dan", on: server)
            #expect(try await cid.enter(slot).roomId == room)
            let ticket = try await cid.roomOpened().socketUrl
            let adas = try await RoomSocket.open(room, as: ada)
            let beas = try await RoomSocket.open(room, as: bea)
            _ = try await adas.skip(to: "presence")
            if ServerProcess.areSeveral { try await Self.waitForEntries(2, in: stage) }
            let other = try await dan.enter(slot)
            #expect(other.roomId != room)
            #expect(other.partners.map(\.name) == ["Cid"])
            for socket in [adas, beas] {
                try await socket.becomes(["Ada", "Bea"])
            }
            let moved = try await cid.roomChanged { $0.roomId != room }
            #expect(moved.roomId == other.roomId)
            let refused = await #expect(throws: RoomSocket.APIError.self) {
                _ = try await RoomSocket.open(url: ticket)
            }
            #expect(refused?.status == 404)
            let cids = try await RoomSocket.open(url: moved.socketUrl)
            let dans = try await RoomSocket.open(other.roomId, as: dan)
            _ = try await dans.message("handshake")
            await cids.cheer()
            _ = try await dans.message("aleResponse")
        }
    }
}
