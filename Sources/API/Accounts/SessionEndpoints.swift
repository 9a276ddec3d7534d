import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The calls for sessions of browsers.
package struct SessionEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.session, rest.signedIn(makeSession))
        router.on(.delete, Routes.session, rest.signedIn(endOwnSession))
        router.on(
            .get, Routes.sessions,
            rest.signedIn { user, request in
                let sessions = try await SessionList.read(of: user, in: application.database(request.loop))
                let list = ShortList(entries: sessions) { .init(createdAt: $0.createdAt, id: $0.id) }
                return try list.answer(Routes.sessions, for: request, AccountSessionList.init)
            })
        router.on(.delete, Routes.sessions + "/{id}", rest.signedIn(endSession))
    }

    private func makeSession(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        guard SignIn.hasToken(request) else {
            throw APIError(
                .unauthenticated, "A session is made by a token: send Authorization: Bearer and your token.",
                headers: ["WWW-Authenticate": APIError.challenge])
        }
        try rest.signIn.checkCookie(of: request)
        let secret = SessionSecret.make()
        let (added, rooms) = try await rest.signIn.changingSessions(of: user.id) { connection in
            try await SessionList.add(secret, to: user, on: connection)
        }
        if added.hasEnded { await rest.signIn.endSessions(of: user.id, in: rooms) }
        return try Answer.json(
            AccountSessionAnswer(session: added.session), status: 201,
            headers: ["Set-Cookie": rest.signIn.cookie.field(secret, for: request)])
    }

    private func endOwnSession(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let (_, rooms) = try await rest.signIn.changingSessions(of: user.id) { connection in
            try await SessionList.endOwn(of: user, on: connection)
        }
        await rest.signIn.endSessions(of: user.id, in: rooms)
        var response = HTTPResponse(status: 204)
        rest.signIn.cookie.remove(for: request, in: &response.headers)
        return response
    }

    private func endSession(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        let (_, rooms) = try await rest.signIn.changingSessions(of: user.id) { connection in
            try await SessionList.end(id, of: user, on: connection)
        }
        await rest.signIn.endSessions(of: user.id, in: rooms)
        return HTTPResponse(status: 204)
    }
}
