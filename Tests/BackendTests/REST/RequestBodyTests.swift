import Contract
import Testing

@Suite("Bodies that are refused")
struct RequestBodyTests {
    @Test(
        "a call that takes no body refuses one with members, by their names",
        arguments: [
            ("POST", "/v1/me/token"), ("GET", "/v1/me"), ("GET", "/v1/slots"),
            ("DELETE", "/v1/blocks/0198c0de-0000-7000-8000-000000000001"),
        ])
    func noBody(method: String, path: String) async throws {
        try await RESTWorld.with { world in
            let token = try await world.signUp()
            let refused = try await world.send(method, path, token: token, body: #"{"nmae":"x"}"#)
            #expect(refused.status == 422)
            #expect(refused.pointers == ["/nmae"])
            #expect(
                try refused.json()["detail"]?.string == "There is no member nmae here; this call takes none.")
            #expect(
                try await world.send(
                    method, path, token: token, body: "nmae=x",
                    headers: ["Content-Type: application/x-www-form-urlencoded"]
                ).status == 415)
            #expect(try await world.send("GET", "/v1/me", token: token).status == 200, "nothing was done")
            #expect(try await world.send("GET", "/v1/me", token: token, body: "{}").status == 200)
            let stranger = try await world.send(method, path, body: #"{"nmae":"x"}"#)
            #expect(stranger.status == 401, "who it is comes first")
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
            let plain = try await world.send(
                "POST", "/v1/users", body: body, headers: ["Content-Encoding: identity"])
            #expect(plain.status == 201)
        }
    }
}
