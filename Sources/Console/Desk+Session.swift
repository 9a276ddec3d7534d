import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres

extension Desk {
    var sessionRoutes: [DeskRoute] {
        [
            DeskRoute(
                method: .post, path: Self.root + "/session", role: nil, summary: "Signs in, by a cookie.",
                status: 200,
                body: [
                    .init(name: "name", kind: .string), .init(name: "password", kind: .string, length: 256),
                    .init(name: "code", kind: .string, isRequired: false),
                ], query: [],
                handler: .task { request in
                    do {
                        return try await signIn(request)
                    } catch {
                        return Answer.refusal(for: error, id: request.id, in: .english)
                    }
                }),
            get("/session", .viewer, "Who is signed in.") { call in
                DeskCall.json(Self.session(call.session))
            },
            route(.delete, "/session", .viewer, "Signs out.", status: 204, signOut),
            list("/tokens", .viewer, "One's own tokens.", "tokens", OperatorSessions.tokens) { call in
                [call.account.id, try call.before()]
            },
            route(
                .post, "/tokens", .viewer, "Makes a token for a script.", status: 201,
                body: [
                    .init(name: "name", kind: .string, isRequired: false),
                    .init(name: "role", kind: .string),
                    .init(name: "expiresAt", kind: .time, isRequired: false),
                    .init(name: "label", kind: .string, isRequired: false),
                    .init(name: "days", kind: .integer, isRequired: false),
                ], makeToken),
            route(
                .delete, "/tokens/{id}", .viewer, "Ends a token, and those that it made.", status: 204,
                endToken),
            list("/operators", .admin, "All operators.", "operators", OperatorAccounts.listed) {
                [try $0.text("cursor")]
            },
        ]
    }

    private static func session(_ session: OperatorSession) -> JSONValue {
        [
            "operator": [
                "id": .integer(session.account.id), "name": .string(session.account.name),
                "role": .string(session.account.role.rawValue),
            ],
            "expiresAt": .time(session.expiresAt), "by": session.isToken ? "token" : "cookie",
        ]
    }

    private static let password = TextRule(subject: "A password", length: 1...256)
    private static let operatorName = TextRule(subject: "A name", length: 1...64)
    private static let code = TextRule(subject: "A code", length: 1...16)
    private static let tokenName = TextRule(subject: "A name", length: 1...64)
    private static let mostDays = 366

    private func signIn(_ request: HTTPRequest) async throws -> HTTPResponse {
        let unknown = DeskCall(
            request: request,
            session: OperatorSession(
                account: Operator(id: 0, name: "", role: .viewer), expiresAt: application.now(),
                token: nil))
        let (name, password, code) = try unknown.read { reader in
            (
                reader.text("name", Self.operatorName), reader.text("password", Self.password),
                reader.optionalText("code", Self.code)
            )
        }
        return try await begin(name, password, code: code, for: request)
    }

    /// Signs in, and returns the answer with the cookie.
    func begin(
        _ name: String, _ password: String, code: String?, for request: HTTPRequest
    ) async throws -> HTTPResponse {
        try DeskAccess.checkSignIn(request)
        let address = "\(request.client)"
        let (stored, step) = try await access.check(
            name, password, code: code?.filter { $0 != " " }, from: address)
        let account = stored.account
        let secret = OperatorCookie.make()
        let now = application.now()
        let isBegun = try await pool.transaction(attempts: 3) { connection in
            guard
                try await OperatorSessions.begin(
                    secret, of: stored, from: address, codeStep: step, at: now, on: connection)
            else { return false }
            try await audit.write(
                AuditEntry(
                    by: account.name, action: "session.begin", subject: "operator:\(account.name)",
                    after: ["address": .string(address)], requestID: request.id),
                at: now, on: connection)
            return true
        }
        guard isBegun else { throw DeskAccess.unauthenticated }
        let session = OperatorSession(
            account: account, expiresAt: now.adding(OperatorSessions.life), token: nil)
        var response = DeskCall.json(Self.session(session))
        response.headers.append("Set-Cookie", DeskAccess.cookie.field(secret, for: request))
        return response
    }

    private func signOut(_ call: DeskCall) async throws -> HTTPResponse {
        guard case .session(let secret)? = try DeskAccess.secret(of: call.request) else {
            throw APIError(.notFound, "A token is no session; end it by its id.")
        }
        try await acting(call, "session.end", "operator:\(call.account.name)") { connection, _, _ in
            try await OperatorSessions.end(secret, on: connection)
        }
        var response = HTTPResponse(status: 204)
        DeskAccess.cookie.remove(for: call.request, in: &response.headers)
        return response
    }

    private func makeToken(_ call: DeskCall) async throws -> HTTPResponse {
        let now = application.now()
        let (name, role, wanted) = try call.read { reader in
            let name = Self.readTokenName(&reader)
            let role = reader.required("role") { text throws(ValidationError) in
                try OperatorRole(rawValue: text).orThrow(
                    ValidationError("role has to be viewer, support or admin."))
            }
            return (name, role ?? .viewer, Self.readTokenEnd(&reader, at: now))
        }
        guard role <= call.account.role else {
            throw APIError(
                .forbidden, "A token has at most your own role, which is \(call.account.role.rawValue).")
        }
        let secret = OperatorToken.make()
        let subject = "operator:\(call.account.name)"
        let (id, expiresAt) = try await acting(call, "token.make", subject) { connection, now, entry in
            // A token does not outlive the token that makes it.
            let expiresAt = call.session.isToken ? min(wanted, call.session.expiresAt) : wanted
            let id = try await OperatorSessions.add(
                secret, to: call.account, label: name, role: role, until: expiresAt,
                madeBy: call.session.token, at: now, on: connection)
            guard let id else {
                throw APIError(
                    .limitReached,
                    "You have \(OperatorSessions.mostTokens) tokens, as many as you may. End one first.")
            }
            entry.after = ["label": .string(name), "role": .string(role.rawValue)]
            return (id, expiresAt)
        }
        let answer: JSONValue = [
            "token": .string(secret.text), "id": .integer(id), "name": .string(name),
            "label": .string(name),
            "role": .string(role.rawValue), "expiresAt": .time(expiresAt),
        ]
        return DeskCall.json(answer, status: 201)
    }

    /// Reads the name of a token. Its former member is `label`, which the next release refuses.
    private static func readTokenName(_ reader: inout RequestReader) -> String {
        let (name, label) = (
            reader.optionalText("name", tokenName), reader.optionalText("label", tokenName)
        )
        if name != nil, label != nil { reader.refuse("label", "Give name or label, and not both.") }
        // This records that neither is there.
        if name == nil, label == nil { _ = reader.member("name") }
        return name ?? label ?? ""
    }

    /// Reads the end of a token. Its former member is `days`, which the next release refuses.
    private static func readTokenEnd(_ reader: inout RequestReader, at now: Timestamp) -> Timestamp {
        let (time, days) = (reader.optionalTime("expiresAt"), reader.optionalInteger("days"))
        switch (time, days) {
        case (nil, nil): _ = reader.member("expiresAt")
        case (_?, _?): reader.refuse("days", "Give expiresAt or days, and not both.")
        case (nil, let days?):
            if (1...mostDays).contains(days) { return now.adding(.seconds(days * 86_400)) }
            reader.refuse("days", "days has to be a number from 1 to \(mostDays).")
        case (let time?, nil):
            if time > now, time <= now.adding(.seconds(mostDays * 86_400)) { return time }
            reader.refuse(
                "expiresAt", "expiresAt has to be in the future, and at most \(mostDays) days ahead.")
        }
        return now
    }

    private func endToken(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.number()
        try await acting(call, "token.end", "operator:\(call.account.name)") { connection, _, entry in
            let label = try await OperatorSessions.endToken(id, of: call.account, on: connection)
            entry.before = ["label": .string(try label.orThrow(DeskCall.notFound))]
        }
        return HTTPResponse(status: 204)
    }
}
