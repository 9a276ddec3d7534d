import Contract
import HTTP1
import Testing

/// Tests of RFC 6455 §4.2, at a room that the client belongs to.
@Suite("The opening handshake of a room", .timeLimit(.minutes(5)))
struct SocketHandshakeTests {
    private static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    private static let fields = [
        "Connection: Upgrade", "Upgrade: websocket", key, "Sec-WebSocket-Version: 13",
    ]

    private static func replacing(_ name: String, by fields: String...) -> [String] {
        Self.fields.filter { !$0.hasPrefix("\(name):") } + fields
    }

    private static let refused: [([String], Int)] = [
        (replacing("Upgrade"), 426), (replacing("Upgrade", by: "Upgrade: h2c"), 426),
        (replacing("Upgrade", by: "Upgrade: websocket/13"), 426),
        (replacing("Upgrade", by: "Upgrade: websoc\u{212A}et"), 426), (replacing("Connection"), 426),
        (replacing("Connection", by: "Connection: keep-alive"), 426),
        (replacing("Connection", by: "Connection: close"), 426),
        (replacing("Sec-WebSocket-Version"), 426),
        (replacing("Sec-WebSocket-Version", by: "Sec-WebSocket-Version: 8"), 426),
        (replacing("Sec-WebSocket-Version", by: "Sec-WebSocket-Version: 13, 8"), 426),
        (replacing("Sec-WebSocket-Version", by: "Sec-WebSocket-Version: +13"), 426),
        (fields + ["Sec-WebSocket-Version: 13"], 426), (replacing("Sec-WebSocket-Key"), 400),
        (replacing("Sec-WebSocket-Key", by: "Sec-WebSocket-Key: c2hvcnQ="), 400),
        (replacing("Sec-WebSocket-Key", by: "Sec-WebSocket-Key: !GhlIHNhbXBsZSBub25jZQ=="), 400),
        (replacing("Sec-WebSocket-Key", by: "\(key), dGhlIHNhbXBsZSBub25jZQ=="), 400), (fields + [key], 400),
        (fields + ["Transfer-Encoding: chunked", "Content-Length: 1"], 400),
    ]

    private static let accepted: [([String], String?)] = [
        (fields, nil),
        (fields + ["Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"], nil),
        (fields + ["Sec-WebSocket-Extensions: x", "Sec-WebSocket-Extensions: permessage-deflate"], nil),
        (replacing("Connection", by: "connection: keep-alive", "CONNECTION: ,\tUPGRADE ,"), nil),
        (replacing("Upgrade", by: "Upgrade: h2c", "UPGRADE: foo, WebSocket"), nil),
        (fields + ["Content-Length: 0"], nil), (fields + ["Sec-WebSocket-Protocol: chat"], nil),
        (fields + ["Sec-WebSocket-Protocol: LETSSWITCH.V2"], nil),
        (fields + ["Sec-WebSocket-Protocol: chat, letsswitch.v2"], "letsswitch.v2"),
        (
            fields + ["Sec-WebSocket-Protocol: chat", "Sec-WebSocket-Protocol: x,letsswitch.v2"],
            "letsswitch.v2"
        ),
    ]

    @Test("is refused for its reason, and told what would be right")
    func refusals() async throws {
        try await atDoor { server, target, bearer in
            for (fields, status) in Self.refused {
                let answer = try await Self.ask("GET \(target) HTTP/1.1", fields + [bearer], server)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(fields) \(answer)")
                if status == 426 {
                    #expect(answer.contains("\r\nsec-websocket-version: 13\r\n"), "\(fields)")
                    #expect(answer.contains("\r\nupgrade: websocket\r\n"), "\(fields)")
                }
            }
            for (line, status) in [
                ("GET \(target) HTTP/1.0", 400), ("POST \(target) HTTP/1.1", 405),
                ("HEAD \(target) HTTP/1.1", 405), ("GET \(target) HTTP/2.0", 505),
            ] {
                let answer = try await Self.ask(line, Self.fields + [bearer], server)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(line) \(answer)")
            }
        }
    }

    @Test("is accepted in every form that it may have, with no extension, and no subprotocol but our own")
    func acceptances() async throws {
        try await atDoor { server, target, bearer in
            for (fields, subprotocol) in Self.accepted {
                let wire = try await Wire.connect(port: server.port)
                await wire.write(
                    Self.bytes("GET \(target) HTTP/1.1", fields + [bearer]) + [0x88, 0x80, 0, 0, 0, 0])
                var parser = ResponseParser(responseTo: .get)
                var answer: ResponseHead?
                while answer == nil {
                    if case .head(let head)? = try parser.next() {
                        answer = head
                    } else {
                        let bytes = try #require(try await wire.read())
                        parser.receive(bytes.span.bytes)
                    }
                }
                #expect(answer?.status == 101, "\(fields)")
                #expect(answer?.headers.first("sec-websocket-accept") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                #expect(answer?.headers.contains("sec-websocket-extensions") == false)
                #expect(answer?.headers.first("sec-websocket-protocol") == subprotocol, "\(fields)")
                // The close frame that came in one piece with the handshake ends the connection.
                while try await wire.read() != nil {}
            }
        }
    }

    private static func ask(
        _ line: String, _ fields: [String], _ server: ServerProcess
    ) async throws -> String {
        let wire = try await Wire.connect(port: server.port)
        await wire.write(bytes(line, fields) + Array("GET /livez HTTP/1.0\r\n\r\n".utf8))
        return try await wire.readAll()
    }

    private static func bytes(_ line: String, _ fields: [String]) -> [UInt8] {
        Array("\(line)\r\nHost: test\r\n\(fields.map { "\($0)\r\n" }.joined())\r\n".utf8)
    }

    private func atDoor(_ body: (ServerProcess, String, String) async throws -> Void) async throws {
        try await Stage.withPerson { stage, server, ada in
            let room = try await ada.enter(stage.grid.openSlot).roomId
            try await body(server, "/socket?id=\(room)", "Authorization: Bearer \(ada.token)")
        }
    }
}
