import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

extension REST {
    /// Adds the calls for recovery codes. A lost answer to a recovery does no harm: the code that was used
    /// works again until the token that it has brought is used.
    func addRecovery(to router: inout Router) {
        router.on(.post, Routes.recoveryCode, signedIn(takesBody: false, replaceRecoveryCode))
        router.on(.post, Routes.recover, open(recover))
    }

    private func replaceRecoveryCode(
        _ user: SignedInUser, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let code = RecoveryCode.make()
        let isReplaced = try await application.locks.with(.user(user.id)) { database in
            try await database.transaction(attempts: 3) { connection in
                try await RecoveryWriter.replace(of: user, with: code, on: connection)
            }
        }
        guard isReplaced else { throw SignIn.notValid }
        return try Answer.json(IssuedRecoveryCode(recoveryCode: code.text), status: 201)
    }

    private func recover(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try request.read(Recovery.self)
        try application.limits.checkRecovery(request.client)
        guard let code = RecoveryCode(body.recoveryCode) else {
            throw RequestError.invalid([
                FieldError(
                    pointer: "/recoveryCode",
                    detail: "A recovery code has 25 digits and letters, in groups of five as they were shown."
                )
            ])
        }
        let database = application.database(request.loop)
        guard let user = try await RecoveryWriter.account(of: code, in: database) else {
            throw Self.unknownCode
        }
        let (token, next) = (APIToken.make(), RecoveryCode.make())
        let rooms: [Identifier]? = try await signIn.endingSessionsInDoubt(of: user) {
            try await application.locks.with(.user(user)) { database in
                try await database.transaction(attempts: 3) { connection in
                    let isRecovered = try await RecoveryWriter.recover(
                        user, by: code, to: token, next: next, on: connection)
                    return isRecovered ? try await UserRooms.read(of: user, on: connection) : nil
                }
            }
        }
        guard let rooms else { throw Self.unknownCode }
        await signIn.endSessions(of: user, in: rooms)
        return try Answer.json(Recovered(token: token.text, recoveryCode: next.text), status: 201)
    }

    private static let unknownCode = APIError(
        .unauthenticated,
        "No account has this recovery code, or no longer. A code works once; use the one that came last.",
        headers: ["WWW-Authenticate": APIError.challenge])
}
