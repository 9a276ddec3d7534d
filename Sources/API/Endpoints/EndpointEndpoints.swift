import Contract
import Crypto
import Database
import HTTP1
package import HTTPServer
import Postgres
import Scheduling
import Settings

/// The calls for endpoints.
package struct EndpointEndpoints: EndpointGroup {
    package let rest: REST
    private let channels: EndpointChannels
    private let tester: EndpointTester

    package init(_ rest: REST, _ channels: EndpointChannels, _ tester: EndpointTester) {
        self.rest = rest
        self.channels = channels
        self.tester = tester
    }

    /// The time limit of a test, which waits for a name service and a server that are not ours.
    private static let patience = Duration.seconds(25)

    package func add(to router: inout Router) {
        let (one, test) = (Routes.endpoints + "/{id}", Routes.endpoints + "/{id}/test")
        router.on(.post, Routes.endpoints, body: NewEndpoint.maximumBytes, rest.keyed(make))
        router.on(.get, Routes.endpoints, rest.signedIn(list))
        router.on(.get, one, rest.signedIn(read))
        router.on(.delete, one, rest.signedIn(remove))
        router.on(.post, test, rest.keyed(self.test).within(Self.patience))
        router.on(.post, Routes.endpoints + "/{id}/secret", rest.keyed(rotate))
        router.on(.post, Routes.endpoints + "/{id}/replay", rest.keyed(replay))
        router.on(
            .get, Routes.pushKey,
            rest.open { _ in try Answer.json(PushKey(publicKey: channels.pushKey)) })
    }

    private func make(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let request = keyed.request
        let now = application.now()
        var random = SystemRandomNumberGenerator()
        let secret = keyed.secret(.webhook)
        let language = request.language(of: user)
        let checked = try CheckedEndpoint(
            try request.read(NewEndpoint.self), id: .v7(at: now, using: &random),
            secret: WebhookSecret(derived: secret.bytes), at: now, channels: channels)
        let response = try await keyed.transaction(
            in: database(request), showing: checked.secret == nil ? nil : secret
        ) { connection in
            if let known = try await EndpointWriter.put(checked, of: user, on: connection) {
                return try Answer.json(known.said(in: language), in: language)
            }
            return try Answer.json(
                checked.endpoint.said(in: language), status: 201, in: language,
                headers: ["Location": Routes.endpoint(checked.endpoint.id)])
        }
        // The challenge of the new endpoint, or its first push, is due.
        if checked.endpoint.state == .unverified { application.changed(.notifications) }
        return response
    }

    private func list(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let language = request.language(of: user)
        let endpoints = try await reader(request).all(of: user)
        let list = ShortList(entries: endpoints) { .init(createdAt: $0.createdAt, id: $0.id) }
        return try list.answer(Routes.endpoints, in: language, for: request) { page, next in
            EndpointList(endpoints: page.map { $0.said(in: language) }, nextCursor: next)
        }
    }

    private func read(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let endpoint = try await reader(request).one(try request.id(), of: user).orThrow(.notFound)
        let language = request.language(of: user)
        return try Answer.json(endpoint.said(in: language), in: language)
    }

    private func remove(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try await EndpointWriter.remove(try request.id(), of: user, in: database(request))
        return HTTPResponse(status: 204)
    }

    private func test(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let id = try keyed.request.id()
        let language = keyed.request.language(of: user)
        let outcome = try await tester.test(
            id, of: user.id, for: keyed, from: keyed.request.client, speaking: language,
            in: database(keyed.request))
        return try Answer.json(outcome.said(in: language), in: language)
    }

    private func rotate(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let id = try keyed.request.id()
        let secret = keyed.secret(.webhook)
        return try await keyed.transaction(in: database(keyed.request), showing: secret) { connection in
            let rotated = try await EndpointWriter.rotate(
                id, to: WebhookSecret(derived: secret.bytes), of: user, at: application.now(),
                on: connection)
            return try Answer.json(rotated, status: 201)
        }
    }

    private func replay(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let id = try keyed.request.id()
        try application.limits.checkReplay(of: user.id)
        let response = try await keyed.transaction(in: database(keyed.request)) { connection in
            let replay = try await EndpointReplay.begin(
                id, of: user, at: application.now(), on: connection)
            return try Answer.json(replay)
        }
        application.changed(.notifications)
        return response
    }

    private func reader(_ request: HTTPRequest) -> EndpointReader {
        EndpointReader(
            database: database(request), verifies: channels.verifiesWebhooks,
            pushServices: channels.pushServices)
    }

    private func database(_ request: HTTPRequest) -> PostgresPool {
        application.database(request.loop)
    }
}
