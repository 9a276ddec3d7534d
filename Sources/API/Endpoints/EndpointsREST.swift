import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres
import Scheduling

/// The calls of `/v1/endpoints` and the paths below it.
package struct EndpointsREST: Sendable {
    package let rest: REST
    package let channels: EndpointChannels
    package let tester: EndpointTester

    package init(rest: REST, channels: EndpointChannels, tester: EndpointTester) {
        self.rest = rest
        self.channels = channels
        self.tester = tester
    }
    /// The time limit of a test, which waits for a name service and a server that are not ours.
    private static let patience = Duration.seconds(25)

    package func add(to router: inout Router) {
        let (one, test) = (Routes.endpoints + "/{id}", Routes.endpoints + "/{id}/test")
        router.on(.post, Routes.endpoints, rest.signedIn(make))
        router.on(.get, Routes.endpoints, rest.signedIn(list))
        router.on(.get, one, rest.signedIn(read))
        router.on(.delete, one, rest.signedIn(remove))
        router.on(.post, test, rest.signedIn(takesBody: false, self.test).within(Self.patience))
        router.on(.post, Routes.endpoints + "/{id}/secret", rest.signedIn(takesBody: false, rotate))
        router.on(.get, Routes.pushKey, rest.open { _ in try pushKey() })
    }

    private func make(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let now = rest.application.now()
        var random = SystemRandomNumberGenerator()
        let checked = try CheckedEndpoint(
            try request.read(NewEndpoint.self), id: .v7(at: now, using: &random), at: now, channels: channels)
        if let known = try await EndpointWriter(database: database(request)).put(checked, of: user) {
            return try Answer.json(known)
        }
        // The challenge of the new endpoint is due.
        if checked.endpoint.state == .unverified { rest.application.changed(.notifications) }
        return try Answer.json(
            checked.endpoint, status: 201, headers: ["Location": Routes.endpoint(checked.endpoint.id)])
    }

    private func list(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let endpoints = try await reader(request).all(of: user)
        return try Answer.json(EndpointList(endpoints: endpoints))
    }

    private func read(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        guard let endpoint = try await reader(request).one(try request.id(), of: user) else {
            throw APIError.notFound
        }
        return try Answer.json(endpoint)
    }

    private func remove(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let writer = EndpointWriter(database: database(request))
        guard try await writer.remove(try request.id(), of: user) else { throw APIError.notFound }
        return HTTPResponse(status: 204)
    }

    private func test(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        try Answer.json(try await tester.test(try request.id(), of: user, in: database(request)))
    }

    private func rotate(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let writer = EndpointWriter(database: database(request))
        let secret = try await writer.rotate(try request.id(), of: user, at: rest.application.now())
        guard let secret else { throw APIError(.notFound, "No webhook of yours has that id.") }
        return try Answer.json(secret, status: 201)
    }

    private func pushKey() throws -> HTTPResponse {
        guard let key = channels.pushKey else {
            throw APIError(.notFound, "This server sends nothing to browsers.")
        }
        return try Answer.json(PushKey(publicKey: key))
    }

    private func reader(_ request: HTTPRequest) -> EndpointReader {
        EndpointReader(database: database(request), verifies: channels.verifiesWebhooks)
    }

    private func database(_ request: HTTPRequest) -> PostgresPool {
        rest.application.database(request.loop)
    }
}
