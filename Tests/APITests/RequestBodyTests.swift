import Contract
import Testing

@testable import BackendTesting

@Suite("Bodies that are refused")
struct RequestBodyTests {
    @Test(
        "a call that takes no body refuses one, however short, before it asks who is calling",
        arguments: [
            ("POST", "/v1/me/token"), ("GET", "/v1/me"), ("GET", "/v1/slots"),
            ("DELETE", "/v1/blocks/0198c0de-0000-7000-8000-000000000001"),
        ])
    func noBody(method: String, path: String) async throws {
        try await RESTWorld.withAccount { world, token in
            for body in ["{}", " ", #"{"nmae":"x"}"#] {
                let refused = try await world.send(method, path, token: token, body: body)
                #expect(refused.status == 413 && refused.problem == "content-too-large")
            }
            #expect(try await world.send("GET", "/v1/me", token: token).status == 200, "nothing was done")
            #expect(try await world.send(method, path, body: "{}").status == 413)
        }
    }

    @Test("a body with a Content-Encoding is a 415 that says what is taken")
    func contentEncoding() async throws {
        try await RESTWorld.with { world in
            let body = #"{"name":"Ann"}"#
            let refused = try await world.send(
                "POST", "/v1/users", body: body, headers: ["Content-Encoding: gzip"])
            #expect(refused.status == 415)
            #expect(refused.headers["accept-encoding"] == "identity")
            #expect(try refused.json()["detail"]?.string?.contains("Content-Encoding") == true)
            try await world.send(
                "POST", "/v1/users", body: body, headers: ["Content-Encoding: identity"], expecting: 201)
        }
    }
}
