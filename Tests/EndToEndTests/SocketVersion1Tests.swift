import Client
import Contract
import HTTP1
import Testing
import WebSocket

@Suite("Version 1 of the socket", .timeLimit(.minutes(5)))
struct SocketVersion1Tests {
    private static let handshake = [0x82, 0x14] + Array("{\"type\":\"handshake\"}".utf8)
    private static let ale = [0x82, 0x16] + Array("{\"type\":\"aleResponse\"}".utf8)

    @Test("speaks the frames of the published app, to the byte")
    func frames() async throws {
        try await withTwo { ada, bea, room in
            #expect(ada.head.headers.first("sec-websocket-protocol") == nil)
            let upper = "\(room)".uppercased()
            let text = Array("{\"type\":\"ale\",\"id\":\"\(upper)\"}".utf8)
            await ada.send(.text, text)
            #expect(try await bea.next() == .binary("{\"type\":\"handshake\"}"))
            #expect(try await bea.next() == .binary("{\"type\":\"aleResponse\"}"))
            await bea.send(.binary, text)
            await bea.send(.text, Array("{\"id\":\"\(room)\",\"type\":\"ale\",\"more\":[1]}".utf8))
            for _ in 0..<3 { _ = try await ada.next() }
            #expect(ada.bytes == Self.handshake + Self.ale + Self.ale)
            #expect(bea.bytes == Self.handshake + Self.ale)
        }
    }

    @Test("drops what is not understood, and the connection stays")
    func dropped() async throws {
        try await withTwo { ada, bea, room in
            for text in [
                "", "ale", "{", "[]", "{\"type\":\"ale\"}", "{\"type\":\"dance\",\"id\":\"\(room)\"}",
                "{\"type\":\"ale\",\"id\":\"00000000-0000-4000-8000-000000000000\"}", "{\"id\":\"\(room)\"}",
                "{\"type\":\"ale\",\"id\":7}", "{\"type\":\"\\ud800\"}",
                String(repeating: "[", count: 4000),
            ] {
                await ada.send(text)
            }
            await ada.send(.binary, [0xFF, 0x00])
            await ada.send("{\"type\":\"ale\",\"id\":\"\(room)\"}")
            for _ in 0..<2 { _ = try await bea.next() }
            #expect(bea.bytes == Self.handshake + Self.ale)
            await bea.send("{\"type\":\"ale\",\"id\":\"\(room)\"}")
            for _ in 0..<2 { _ = try await ada.next() }
            #expect(ada.bytes == Self.handshake + Self.ale)
        }
    }

    @Test("is what an unknown subprotocol gets, unconfirmed")
    func unknownSubprotocol() async throws {
        try await Stage.withPerson { stage, server, ada in
            let details = try await ada.enter(stage.grid.openSlot)
            let socket = try await RoomSocket.open(
                "/socket?id=\(details.roomId)", port: server.port, protocols: ["graphql-ws"],
                headers: ["Authorization": "Bearer \(ada.token)"])
            #expect(socket.head.headers.first("sec-websocket-protocol") == nil)
            #expect(try await socket.next() == .binary("{\"type\":\"handshake\"}"))
        }
    }

    @Test("ends only where WebSocket itself is broken, or a message is too long")
    func broken() async throws {
        try await Stage.withPerson { stage, _, ada in
            let room = try await ada.enter(stage.grid.openSlot).roomId
            func code(_ body: (RoomSocket) async -> Void) async throws -> UInt16? {
                let socket = try await RoomSocket.open(room, as: ada, version: 1)
                await body(socket)
                guard case .closed(let code, _) = try await socket.close() else { return nil }
                return code
            }
            #expect(try await code { await $0.send(.text, [UInt8](repeating: 0x20, count: 4097)) } == 1009)
            #expect(try await code { await $0.send(.text, [0xC3, 0x28]) } == 1007)
            // The frame is not masked.
            #expect(try await code { await $0.send(raw: [0x81, 0x01, 0x20]) } == 1002)
            // The frame has a reserved bit.
            #expect(try await code { await $0.send(raw: [0xC1, 0x80, 0, 0, 0, 0]) } == 1002)
            let longest = try await RoomSocket.open(room, as: ada, version: 1)
            await longest.send(.text, [UInt8](repeating: 0x20, count: 4096))
            await longest.send(.ping, [1])
            _ = try await longest.next()
            #expect(try await longest.next() == .pong)
        }
    }

    private func withTwo(_ body: (RoomSocket, RoomSocket, Identifier) async throws -> Void) async throws {
        try await Stage.withPerson { stage, server, ada in
            let bea = try await Person(named: "Bea", on: server)
            let room = try await ada.enter(stage.grid.openSlot).roomId
            #expect(try await bea.enter(stage.grid.openSlot).roomId == room)
            let adas = try await RoomSocket.open(room, as: ada, version: 1)
            let beas = try await RoomSocket.open(room, as: bea, version: 1)
            try await body(adas, beas, room)
        }
    }
}
