import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Settings

/// The right to make an account, as `SIGNUPS` has it.
enum Admission: Sendable {
    case open
    case code(AccessCode)
    case invite(InviteCode)

    /// Takes the right, in the transaction that makes the account. Throws a 403 if it does not exist.
    func take(in application: Application, on connection: PostgresConnection) async throws {
        let now = application.now()
        switch self {
        case .open: return
        case .code(let code):
            guard try await SignUpCodes.use(code, at: now, on: connection) else { throw Self.noCode }
        case .invite(let code):
            guard let key = try await Invites.letIn(code, at: now, on: connection),
                !application.isTooLate(key, at: now)
            else { throw Self.noInvite }
        }
    }

    static let noCode = refusal(
        "/code", "This code is unknown, used up or expired. Ask the people who run this service for another.")
    static let noInvite = refusal(
        "/invite", "This invite cannot be used for an account, or was used for one. Ask for another.")

    private static func refusal(_ pointer: String, _ detail: Text) -> APIError {
        APIError(.signUpsClosed, detail, errors: [FieldError(pointer: pointer, detail: detail)])
    }
}

extension Application {
    /// Returns the right by which a sign-up asks for an account. Throws a 403 if `SIGNUPS` does not allow it.
    func admission(for body: NewUser, from client: ClientAddress) throws -> Admission {
        let ways = configuration.signUps
        if ways.contains(.open) { return .open }
        if ways.contains(.code), let text = body.code {
            try limits.checkCode(client)
            return .code(try code(text, for: .signUp))
        }
        if ways.contains(.invite), let text = body.invite {
            try limits.checkCode(client)
            guard let code = InviteCode(text) else { throw Admission.noInvite }
            return .invite(code)
        }
        let detail: Text =
            switch (ways.contains(.code), ways.contains(.invite)) {
            case (true, true):
                "A sign-up needs a code from the people who run this service, or an invite."
            case (true, false):
                "A sign-up needs a code from the people who run this service. Ask them for one."
            case (false, true): "A sign-up needs an invite from a person who uses this service."
            case (false, false): "The people who run this service make the accounts. Ask them for one."
            }
        throw APIError(.signUpsClosed, detail)
    }

    /// Reads the code of an operator in a body; throws a 422 for a text that cannot be one.
    func code(_ text: String, for purpose: AccessCode.Purpose) throws(RequestError) -> AccessCode {
        try AccessCode(text, for: purpose).orThrow(
            RequestError.invalid(
                at: "/code", "A code has 16 digits and letters, in groups of four as they were shown."))
    }
}
