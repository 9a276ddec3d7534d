import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension Desk {
    var signUpRoutes: [DeskRoute] {
        [
            list(
                "/sign-up-codes", .viewer, "Codes for sign-ups that have not expired.", "codes",
                SignUpCodes.listed
            ) { call in [try call.before(), application.now()] },
            route(
                .post, "/sign-up-codes", .admin, "Makes a code for sign-ups, shown once.", status: 201,
                body: [
                    .init(name: "uses", kind: .integer, isRequired: false),
                    .init(name: "expiresAt", kind: .time, isRequired: false),
                ], addCode),
            route(
                .post, "/sign-up-codes/{id}/end", .admin, "Ends a code for sign-ups.", status: 204, endCode),
            route(
                .post, "/people", .admin,
                "Makes an account, with a code for the first sign-in within seven days, shown once.",
                status: 201,
                body: [
                    .init(name: "name", kind: .string),
                    .init(name: "timeZone", kind: .string, isRequired: false),
                    .init(name: "language", kind: .string, isRequired: false),
                ], addPerson),
        ]
    }

    private func addCode(_ call: DeskCall) async throws -> HTTPResponse {
        let now = application.now()
        let (uses, end) = try call.read { reader in
            let uses = reader.optionalInteger("uses") ?? 1
            let bounds = SignUpCodes.uses
            if !bounds.contains(uses) {
                reader.refuse("uses", "uses has to be \(bounds.lowerBound) to \(bounds.upperBound).")
            }
            let end = reader.optionalTime("expiresAt") ?? now.adding(.seconds(SignUpCodes.usualSeconds))
            if end <= now || end > now.adding(.seconds(SignUpCodes.longestSeconds)) {
                reader.refuse("expiresAt", "expiresAt has to be in the future, within 366 days.")
            }
            return (uses, end)
        }
        let code = AccessCode(for: .signUp)
        let id = try await acting(call, SignUpCodes.addAction, "") { connection, now, entry in
            let id = try await SignUpCodes.add(
                code, uses: uses, until: end, by: call.account.name, at: now, on: connection)
            guard let id else {
                throw APIError(
                    .limitReached, "There are \(SignUpCodes.most) codes, which is the most. End some first.")
            }
            entry.subject = SignUpCodes.subject(id)
            entry.after = ["uses": .integer(Int64(uses)), "expiresAt": .time(end)]
            return id
        }
        return DeskCall.json(
            [
                "id": .integer(id), "code": .string(code.text), "uses": .integer(Int64(uses)),
                "expiresAt": .time(end),
            ], status: 201)
    }

    private func endCode(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.number()
        try await acting(call, SignUpCodes.endAction, SignUpCodes.subject(id)) { connection, _, _ in
            guard try await SignUpCodes.end(id, on: connection) else { throw DeskCall.notFound }
        }
        return HTTPResponse(status: 204)
    }

    private func addPerson(_ call: DeskCall) async throws -> HTTPResponse {
        let (name, timeZone, language) = try call.read { reader in
            (
                reader.text("name", .name), reader.optionalText("timeZone", .timeZone) ?? "UTC",
                reader.change("language", of: Language.self).applied(to: nil)
            )
        }
        try application.checkZone(timeZone)
        let code = AccessCode(for: .signIn)
        var random = SystemRandomNumberGenerator()
        let id = Identifier.v7(at: application.now(), using: &random)
        let end = try await acting(call, "person.add", "person:\(id)") { connection, now, entry in
            let user = User(
                id: id, name: name, timeZone: timeZone, language: language?.rawValue, createdAt: now)
            let end = now.adding(.seconds(SignInCodes.seconds))
            try await SignInCodes.create(user, code, until: end, on: connection)
            (entry.after, entry.person) = (["name": .string(name)], id)
            return end
        }
        return DeskCall.json(
            ["id": .string("\(id)"), "signInCode": .string(code.text), "expiresAt": .time(end)], status: 201)
    }
}
