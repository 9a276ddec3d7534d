import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The calls about endpoints")
struct APIClientEndpointTests {
    private static let id = Sample.other
    private static let endpoint = Endpoint(
        id: id, kind: .webhook, url: "https://example.org/hook", types: ["room.opened"],
        createdAt: Sample.start)
    private static let outcome = EndpointOutcome(
        id: "msg_1", type: "test", at: Sample.start, outcome: "delivered", detail: "200", milliseconds: 35)

    /// Serves one endpoint, and accepts it as a new one, whatever its kind.
    private static func serve(taking new: NewEndpoint) async throws -> ScriptedServer {
        let one = Routes.endpoints + "/{id}"
        @Sendable func ifKnown(_ request: HTTPRequest, _ answer: HTTPResponse) -> HTTPResponse {
            request.parameters == [id.description] ? answer : .problem(.notFound, "No such endpoint.")
        }
        return try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.endpoints) { request in
                guard let body = try? NewEndpoint(bytes: request.body), body == new else {
                    return .problem(.invalid, String(decoding: request.body, as: UTF8.self))
                }
                var made = endpoint
                (made.kind, made.secret) = (.known(new.target.kind), "whsec_x")
                return .json(made, status: 201)
            }
            router.immediate(.get, Routes.endpoints) { _ in .json(EndpointList(endpoints: [endpoint])) }
            router.immediate(.get, one) { request in
                var whole = endpoint
                whole.outcomes = [outcome]
                return ifKnown(request, .json(whole))
            }
            router.immediate(.delete, one) { ifKnown($0, HTTPResponse(status: 204)) }
            router.immediate(.post, one + "/test") { ifKnown($0, .json(outcome)) }
            let secret = EndpointSecret(secret: "whsec_y", previousUntil: Sample.start)
            router.immediate(.post, one + "/secret") { ifKnown($0, .json(secret, status: 201)) }
            router.immediate(.post, one + "/replay") { ifKnown($0, .json(EndpointReplay(deliveries: 3))) }
            router.immediate(.get, Routes.pushKey) { _ in .json(PushKey(publicKey: "BKey")) }
        }
    }

    @Test(
        "add one of each kind, and pass its secret on",
        arguments: [
            NewEndpoint(.webhook(url: "https://example.org/hook"), types: [.roomOpened]),
            NewEndpoint(
                .apns(deviceToken: String(repeating: "0a", count: 32), environment: .sandbox), types: nil),
            NewEndpoint(.webpush(url: "https://push.example/1", p256dh: "BKey", auth: "Auth")),
        ])
    func add(new: NewEndpoint) async throws {
        let server = try await Self.serve(taking: new)
        let api = try APIClient(server: Server(server.url), token: "t")
        let made = try await api.addEndpoint(new)
        #expect((made.id, made.kind.known, made.secret) == (Self.id, new.target.kind, "whsec_x"))
        let error = await #expect(throws: ClientError.self) {
            try await api.addEndpoint(NewEndpoint(.webhook(url: "https://other.example/")))
        }
        #expect(error?.kind == "problem:invalid")
    }

    @Test("list, look at, test, rotate and remove")
    func others() async throws {
        let server = try await Self.serve(taking: NewEndpoint(.webhook(url: "https://example.org/hook")))
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.endpoints() == [Self.endpoint])
        #expect(try await api.endpoint(Self.id).outcomes == [Self.outcome])
        #expect(try await api.testEndpoint(Self.id) == Self.outcome)
        let secret = try await api.rotateSecret(ofEndpoint: Self.id)
        #expect(secret == EndpointSecret(secret: "whsec_y", previousUntil: Sample.start))
        #expect(try await api.replayEndpoint(Self.id) == 3)
        try await api.removeEndpoint(Self.id)
        #expect(try await api.pushKey() == "BKey")
        await #expect(throws: ClientError.self) { try await api.endpoint(Sample.me) }
        await #expect(throws: ClientError.self) { try await api.testEndpoint(Sample.me) }
        await #expect(throws: ClientError.self) { try await api.rotateSecret(ofEndpoint: Sample.me) }
        await #expect(throws: ClientError.self) { try await api.removeEndpoint(Sample.me) }
    }
}
