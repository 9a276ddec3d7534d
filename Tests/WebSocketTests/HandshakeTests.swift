import Testing
import WebSocket

/// Tests of the opening handshake: RFC 6455 §4.
struct HandshakeTests {
    private static let good: [(String, [String])] = [
        ("upgrade", ["WebSocket"]), ("connection", ["keep-alive, Upgrade"]),
        ("sec-websocket-key", ["dGhlIHNhbXBsZSBub25jZQ=="]), ("sec-websocket-version", ["13"]),
    ]

    private func evaluate(
        method: String = "GET", minorVersion: Int = 1, replacing name: String = "", by values: [String] = []
    ) throws(HandshakeError) -> ServerHandshake.Acceptance {
        try ServerHandshake.evaluate(
            method: method, minorVersion: minorVersion,
            values: { asked in
                if asked == name { return values }
                return Self.good.first { $0.0 == asked }?.1 ?? []
            })
    }

    @Test("§1.3: the example of the RFC")
    func example() throws {
        let acceptance = try evaluate(
            replacing: "sec-websocket-protocol", by: ["chat, superchat", " letsswitch.v2"])
        #expect(acceptance.accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(acceptance.protocols == ["chat", "superchat", "letsswitch.v2"])
        #expect(acceptance.headers(confirming: "chat").last?.value == "chat")
        #expect(acceptance.headers(confirming: nil).count == 3)
    }

    @Test("only GET opens a WebSocket")
    func method() {
        #expect(throws: HandshakeError.methodNotAllowed) { try evaluate(method: "POST") }
    }

    @Test(
        "what does not ask for an upgrade gets 426",
        arguments: [
            ("upgrade", []), ("upgrade", ["h2c"]), ("upgrade", ["websockets"]), ("connection", []),
            ("connection", ["close"]), ("connection", ["upgraded"]), ("upgrade", ["websoc\u{212A}et"]),
            ("upgrade", ["websocket/13"]), ("upgrade", ["web socket"]), ("connection", ["upgrade;q=1"]),
        ])
    func noUpgrade(name: String, values: [String]) {
        #expect(throws: HandshakeError.notAnUpgrade) { try evaluate(replacing: name, by: values) }
    }

    @Test(
        "the lists are read in any case, over all fields, and whatever stands beside the word",
        arguments: [
            ("upgrade", ["WEBSOCKET"]), ("upgrade", ["h2c, webSocket"]), ("upgrade", ["h2c", "websocket"]),
            ("connection", ["UPGRADE"]), ("connection", ["keep-alive,upgrade"]),
            ("connection", ["keep-alive", "\tUpgrade , "]), ("connection", [",,Upgrade"]),
        ])
    func lists(name: String, values: [String]) throws {
        #expect(try evaluate(replacing: name, by: values).accept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("HTTP/1.0 cannot upgrade")
    func oldVersion() {
        #expect { try evaluate(minorVersion: 0) } throws: { ($0 as? HandshakeError)?.status == 400 }
        #expect(throws: HandshakeError.notAnUpgrade) {
            try evaluate(minorVersion: 0, replacing: "upgrade", by: [])
        }
    }

    @Test(
        "any version but 13 gets 426 and is told", arguments: [[], ["8"], ["13", "13"], ["13, 8"], ["013"]])
    func version(values: [String]) {
        #expect(throws: HandshakeError.badVersion) {
            try evaluate(replacing: "sec-websocket-version", by: values)
        }
        #expect(HandshakeError.badVersion.status == 426)
        #expect(HandshakeError.badVersion.headers.contains { $0 == ("sec-websocket-version", "13") })
    }

    @Test(
        "anything but one key of 16 bytes is refused",
        arguments: [
            [], [""], ["dGhlIHNhbXBsZSBub25jZQ"], ["dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="],
            ["dGhlIHNhbXBsZSBub25jZQA="], ["dGhlIHNhbXBsZSBub25jZ!=="], ["dGhlIHNhbXBsZSBub25jZQ====="],
        ])
    func key(values: [String]) {
        #expect { try evaluate(replacing: "sec-websocket-key", by: values) } throws: { error in
            (error as? HandshakeError)?.status == 400
        }
    }

    @Test("a client takes the answer to its own key only")
    func client() throws {
        let client = ClientHandshake(random: Array("the sample nonce".utf8), protocols: ["chat"])
        #expect(client.key == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(client.headers.last?.value == "chat")
        func verify(_ status: Int, _ changes: [String: [String]]) throws -> String? {
            let answer = [
                "upgrade": ["websocket"], "connection": ["Upgrade"],
                "sec-websocket-accept": ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="],
            ].merging(changes) { $1 }
            return try client.verify(status: status, values: { answer[$0] ?? [] })
        }
        #expect(try verify(101, [:]) == nil)
        #expect(try verify(101, ["sec-websocket-protocol": ["chat"]]) == "chat")
        #expect(throws: ClientHandshake.Failure.refused(status: 401)) { try verify(401, [:]) }
        for (name, value) in [
            ("upgrade", "x"), ("connection", "x"), ("sec-websocket-accept", "x"),
            ("sec-websocket-protocol", "y"),
            ("sec-websocket-extensions", "z"),
        ] {
            #expect(throws: ClientHandshake.Failure.self) { try verify(101, [name: [value]]) }
        }
    }
}
