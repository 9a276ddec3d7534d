import Contract
import Database
import HTTP1
package import HTTPServer
import Postgres

/// The calls for recovery codes. A lost answer to a recovery does no harm: the code that was used works
/// again until the token that it has brought is used.
package struct RecoveryEndpoints: EndpointGroup {
    package let rest: REST

    package init(_ rest: REST) { self.rest = rest }

    package func add(to router: inout Router) {
        router.on(.post, Routes.recoveryCode, rest.keyed(replaceRecoveryCode))
        router.on(.post, Routes.recover, body: Recovery.maximumBytes, rest.openKeyed(recover))
    }

    private func replaceRecoveryCode(
        _ user: SignedInUser, _ keyed: KeyedRequest
    ) async throws -> HTTPResponse {
        let secret = keyed.secret(.recovery)
        let code = AccessCode(derived: secret)
        return try await keyed.transaction(
            in: application.locks, of: .user(user.id), showing: secret
        ) { connection in
            try await RecoveryWriter.replace(of: user, with: code, on: connection)
            return try Answer.json(IssuedRecoveryCode(recoveryCode: code.text), status: 201)
        }
    }

    private func recover(_ keyed: KeyedRequest) async throws -> HTTPResponse {
        let request = keyed.request
        try rest.signIn.checkCookie(of: request)
        let body = try request.read(Recovery.self)
        try application.limits.checkRecovery(request.client)
        guard let code = AccessCode(body.recoveryCode, for: .recovery) else {
            throw RequestError.invalid(
                at: "/recoveryCode",
                "A recovery code has 25 digits and letters, in groups of five as they were shown.")
        }
        let database = application.database(request.loop)
        let user = try await RecoveryWriter.account(of: code, in: database).orThrow(Self.unknownCode)
        let secret = keyed.secret(.account)
        let (token, next) = (APIToken(derived: secret), AccessCode(derived: secret))
        var rooms: [Identifier] = []
        let response = try await rest.signIn.endingSessionsInDoubt(of: user) {
            try await keyed.transaction(
                in: application.locks, of: .user(user), showing: secret, for: user
            ) { connection in
                let isRecovered = try await RecoveryWriter.recover(
                    user, by: code, to: token, next: next, under: keyed.key, on: connection)
                guard isRecovered else { throw Self.unknownCode }
                rooms = try await UserRooms.read(of: user, on: connection)
                return try Answer.json(Recovered(token: token.text, recoveryCode: next.text), status: 201)
            }
        }
        await rest.signIn.endSessions(of: user, in: rooms)
        return response
    }

    private static let unknownCode = APIError(
        .unauthenticated,
        "No account has this recovery code, or no longer. A code works once; use the one that came last.",
        headers: ["WWW-Authenticate": APIError.challenge])
}

extension Application {
    /// Throws a 403 if the account came back by a code of an operator lately.
    func checkRecovery(_ user: SignedInUser, _ request: HTTPRequest) async throws {
        guard
            let until = try await RecoveryWriter.guardedUntil(
                of: user.id, in: database(request.loop))
        else { return }
        var error = APIError(
            .recentlyRecovered,
            "This account was recovered by a code of an operator. It can be exported and deleted from "
                + "\(until) on.")
        error.problem.until = until
        throw error
    }
}
