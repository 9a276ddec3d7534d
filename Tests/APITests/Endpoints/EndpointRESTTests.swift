import Codecs
import Contract
import Crypto
import Postgres
import Testing

@testable import BackendTesting

@Suite struct EndpointRESTTests {
    @Test("an endpoint is made, listed, read and removed, by its owner alone")
    func life() async throws {
        try await RESTWorld.withAccount { world, token in
            let other = try await world.signUp("Bea")
            let made = try await world.addWebhook(
                token, "https://Example.org:8443/a?b=c", types: #"["room.opened"]"#)
            let id = try #require(made["id"]?.string)
            #expect(made["secret"]?.string?.hasPrefix("whsec_") == true)
            #expect(made["state"]?.string == "active")
            let list = try await world.send("GET", "/v1/endpoints", token: token).json()["endpoints"]?.array
            #expect(list?.count == 1)
            #expect(list?.first?["url"]?.string == "https://Example.org:8443/a?b=c")
            #expect(list?.first?["types"]?.array == [.string("room.opened")])
            #expect(list?.first?["secret"] == nil)
            let read = try await world.send("GET", "/v1/endpoints/\(id)", token: token).json()
            #expect(read["outcomes"]?.array == [])
            let host = try await world.pool.query("SELECT host FROM endpoints")[0].decode(0, String.self)
            #expect(host == "example.org:8443")
            for (method, path) in [("GET", ""), ("DELETE", ""), ("POST", "/secret"), ("POST", "/test")] {
                try await world.send(method, "/v1/endpoints/\(id)\(path)", token: other, expecting: 404)
            }
            #expect(
                try await world.send("GET", "/v1/endpoints", token: other).json()["endpoints"]?.array == [])
            #expect(try await world.send("DELETE", "/v1/endpoints/\(id)", token: token).status == 204)
            #expect(try await world.send("DELETE", "/v1/endpoints/\(id)", token: token).status == 404)
        }
    }

    @Test("ten are the most, and the same one twice is none more")
    func limit() async throws {
        try await RESTWorld.withAccount { world, token in
            for number in 1...9 { _ = try await world.addWebhook(token, "https://example.org/\(number)") }
            func post(_ url: String) async throws -> RawHTTP.Response {
                try await world.send(
                    "POST", "/v1/endpoints", token: token, body: #"{"kind":"webhook","url":"\#(url)"}"#)
            }
            let again = try await post("https://example.org/9")
            #expect(again.status == 409 && again.problem == "conflict")
            _ = try await world.addWebhook(token, "https://example.org/10")
            let eleventh = try await post("https://example.org/11")
            #expect(eleventh.status == 409 && eleventh.problem == "limit-reached")
        }
    }

    @Test(
        "what makes no sense is refused by its place",
        arguments: [
            (#"{"kind":"webhook"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"file:///etc/passwd"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"https://"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"https://a:b@example.org/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://127.0.0.1/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://[::1]:80/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://localhost/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://2130706433/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"https://example.org/","types":["room.open"]}"#, ["/types/0"]),
            (#"{"kind":"webhook","url":"https://example.org/","types":[]}"#, ["/types"]),
            (#"{"kind":"webhook","url":"https://example.org/","secret":"x"}"#, ["/secret"]),
            (#"{"kind":"pigeon"}"#, ["/kind"]),
            (#"{"kind":"webhook","url":"http://169.254.169.254/latest/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://[::ffff:127.0.0.1]/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://[64:ff9b::7f00:1]/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://[2002:7f00:1::]/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"http://[fe80::1]/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"gopher://example.org/"}"#, ["/url"]),
            (#"{"kind":"webhook","url":"/hook"}"#, ["/url"]),
            (#"{"kind":"apns","deviceToken":"abcd"}"#, ["/deviceToken"]),
            (#"{"kind":"apns","deviceToken":"\#(String(repeating: "a", count: 65))"}"#, ["/deviceToken"]),
            (#"{"kind":"apns","deviceToken":"\#(String(repeating: "g", count: 64))"}"#, ["/deviceToken"]),
            (
                EndpointRESTTests.subscription(key: Base64URL.encode([4] + [UInt8](repeating: 1, count: 64))),
                ["/p256dh"]
            ),
            (
                EndpointRESTTests.subscription(key: Base64URL.encode([UInt8](repeating: 0, count: 65))),
                ["/p256dh"]
            ),
            (EndpointRESTTests.subscription(key: "BA"), ["/p256dh"]),
            (EndpointRESTTests.subscription(auth: "AAAA"), ["/auth"]),
            (EndpointRESTTests.subscription(url: "http://push.example.org/1"), ["/url"]),
        ])
    func nonsense(body: String, pointers: [String]) async throws {
        try await RESTWorld.with(allowsPrivateWebhooks: false) { world in
            let token = try await world.signUp()
            let answer = try await world.send("POST", "/v1/endpoints", token: token, body: body)
            #expect(answer.status == 422)
            #expect(answer.pointers == pointers)
        }
    }

    /// Returns a browser's subscription, valid but for the arguments.
    private static func subscription(
        url: String = "https://push.example.org/1", key: String? = nil,
        auth: String = Base64URL.encode([UInt8](repeating: 1, count: 16))
    ) -> String {
        let point = (try? P256PrivateKey().publicKey.bytes) ?? []
        let key = key ?? Base64URL.encode(point)
        return #"{"kind":"webpush","url":"\#(url)","p256dh":"\#(key)","auth":"\#(auth)"}"#
    }

    @Test("a browser's subscription that makes sense is taken")
    func browser() async throws {
        try await RESTWorld.with { world in
            try await world.send(
                "POST", "/v1/endpoints", token: try await world.signUp(), body: Self.subscription(),
                expecting: 201)
        }
    }
}
