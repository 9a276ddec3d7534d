import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The first sign-in to an account that an operator has made.
package struct SignInCodeEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.signIn, body: FirstSignIn.maximumBytes, rest.openKeyed(signIn))
    }

    private func signIn(_ keyed: KeyedRequest) async throws -> HTTPResponse {
        let request = keyed.request
        try rest.signIn.checkCookie(of: request)
        let body = try request.read(FirstSignIn.self)
        try application.limits.checkCode(request.client)
        let (code, now) = (try application.code(body.code, for: .signIn), application.now())
        let database = application.database(request.loop)
        let user = try await SignInCodes.account(of: code, at: now, in: database).orThrow(Self.noCode)
        let secret = keyed.secret(.account)
        let (token, recovery) = (APIToken(derived: secret), AccessCode(derived: secret))
        return try await keyed.transaction(
            in: application.locks, of: .user(user), showing: secret, for: user
        ) { connection in
            let isUsed = try await SignInCodes.use(
                code, of: user, at: now, token: token, recovery: recovery, under: keyed.key, on: connection)
            guard isUsed else { throw Self.noCode }
            return try Answer.json(Recovered(token: token.text, recoveryCode: recovery.text), status: 201)
        }
    }

    private static let noCode = APIError(
        .unauthenticated,
        "This code is unknown, used or expired. Ask the people who run this service for a recovery code.",
        headers: ["WWW-Authenticate": APIError.challenge])
}
