import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The calls for the tokens of an account.
package struct TokenEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.token, rest.keyed(replaceToken))
        router.on(.post, Routes.tokens, body: NewToken.maximumBytes, rest.keyed(makeToken))
        router.on(
            .get, Routes.tokens,
            rest.signedIn { user, request in
                let tokens = try await TokenList.read(of: user, in: application.database(request.loop))
                let list = ShortList(entries: tokens) { .init(createdAt: $0.createdAt, id: $0.id) }
                return try list.answer(Routes.tokens, for: request, AccountTokenList.init)
            })
        router.on(.delete, Routes.tokens + "/{id}", rest.signedIn(revokeToken))
    }

    /// Answers `POST /v1/me/token`. A lost answer does no harm, since the token in use stays valid until the
    /// new one is used.
    private func replaceToken(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let secret = keyed.secret(.token)
        return try await keyed.transaction(
            in: application.locks, of: .user(user.id), showing: secret
        ) { connection in
            let token = APIToken(derived: secret)
            try await AccountWriter.offer(token, to: user, under: keyed.key, on: connection)
            return try Answer.json(Token(token: token.text), status: 201)
        }
    }

    private func makeToken(_ user: SignedInUser, _ keyed: KeyedRequest) async throws -> HTTPResponse {
        let body = try keyed.request.read(NewToken.self)
        if let expiresAt = body.expiresAt, expiresAt <= application.now() {
            throw RequestError.invalid(
                at: "/expiresAt", "This is past. Give a time to come, or leave it out.")
        }
        let secret = keyed.secret(.token)
        let token = APIToken(derived: secret)
        return try await keyed.transaction(
            in: application.locks, of: .user(user.id), showing: secret
        ) { connection in
            let details = try await TokenList.add(
                token, named: body.name, until: body.expiresAt, to: user, under: keyed.key, on: connection)
            return try Answer.json(
                IssuedToken(token: token.text, details: details), status: 201,
                headers: ["Location": Routes.accountToken(details.id)])
        }
    }

    private func revokeToken(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id()
        let (_, rooms) = try await rest.signIn.changingSessions(of: user.id) { connection in
            try await TokenList.revoke(id, of: user, on: connection)
        }
        await rest.signIn.endSessions(of: user.id, in: rooms)
        return HTTPResponse(status: 204)
    }
}
