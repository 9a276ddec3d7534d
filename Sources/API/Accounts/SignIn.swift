package import Contract
package import Database
import HTTP1
package import HTTPServer
import Logging
package import Postgres
import Scheduling

/// Authenticates requests by their token. A pending token that is used becomes the account's main one, and
/// one that was made under an idempotency key is not shown again.
package struct SignIn: Sendable {
    package let application: Application
    /// Reads the rooms that are open on this server again: sockets that came in under an older token are
    /// closed.
    package let refreshRooms: @Sendable ([Identifier]) async -> Void
    /// The tokens that were used lately, by this server.
    package let uses = TokenUses()

    /// The cookie of sessions.
    let cookie: SessionCookie

    package init(
        application: Application, cookie: SessionCookie = SessionCookie(),
        refreshRooms: @escaping @Sendable ([Identifier]) async -> Void
    ) {
        self.application = application
        self.cookie = cookie
        self.refreshRooms = refreshRooms
    }

    /// Returns the user who sends a request. Throws a 401 for a request without a valid token. A cookie is
    /// read where there is no token; it has to come from a page of the service itself if the request changes
    /// something, or is `sensitive`. A user who was read lately is not read again, unless the request is
    /// `sensitive` and the caller does not read the user again afterwards (`readsAgain`).
    package func read(
        _ request: HTTPRequest, sensitive: Bool = false, readsAgain: Bool = false,
        from database: PostgresPool
    ) async throws -> SignedInUser {
        let takesKnown = !sensitive || readsAgain
        switch try credential(of: request, sensitive: sensitive) {
        case .token(let token):
            if takesKnown, let known = known(token.hash) { return known }
            return try await find(token, in: database).orThrow(refused(request, .tokenNotValid))
        case .session(let secret):
            if takesKnown, let known = known(secret.hash) { return known }
            guard let user = try await find(secret, in: database) else { break }
            return user
        case .notValid: throw refused(request, .tokenNotValid)
        case nil: break
        }
        throw refused(
            request,
            APIError(
                .unauthenticated, "Send Authorization: Bearer followed by your token.",
                headers: ["WWW-Authenticate": APIError.challenge]))
    }

    /// Returns the user who sends a request, if that is known without the database.
    func known(_ request: HTTPRequest) -> SignedInUser? {
        switch try? credential(of: request, sensitive: false) {
        case .token(let token): known(token.hash)
        case .session(let secret): known(secret.hash)
        case .notValid, nil: nil
        }
    }

    private func known(_ hash: [UInt8]) -> SignedInUser? {
        let user = application.signIns.find(hash)
        if let user { uses.note(user) }
        return user
    }

    /// The scheme of tokens in `Authorization` (RFC 6750 §2.1).
    static let scheme = "bearer"

    /// The means by which a request signs in.
    private enum Credential {
        case token(APIToken)
        case session(SessionSecret)
        /// An `Authorization` of the scheme that has no token.
        case notValid
    }

    /// Whether a request has a token in `Authorization`, valid or not.
    static func hasToken(_ request: HTTPRequest) -> Bool {
        !request.head.headers.authorizations(scheme).isEmpty
    }

    /// Returns what a request signs in with; nil for nothing.
    private func credential(of request: HTTPRequest, sensitive: Bool) throws(APIError) -> Credential? {
        let values = request.head.headers.authorizations(Self.scheme)
        if !values.isEmpty {
            guard values.count == 1, let token = APIToken(values[0]) else { return .notValid }
            return .token(token)
        }
        guard let secret = cookie.secret(in: request) else { return nil }
        let isRead = [.get, .head].contains(request.head.method) && !sensitive
        guard isRead || cookie.isOwn(request.head) else {
            throw APIError(
                .crossSite, "The cookie counts for pages of this service alone. Send a token instead.")
        }
        return .session(secret)
    }

    /// Throws a 403 for a page of the service that cannot keep the cookie of a session: an account that it
    /// makes, or a token that it recovers, would be lost.
    func checkCookie(of request: HTTPRequest) throws(APIError) {
        guard let origin = cookie.originToOpen(for: request.head) else { return }
        throw APIError(
            .crossSite,
            "This page came without https, so your browser cannot stay signed in. Open \(origin) instead.")
    }

    private func refused(_ request: HTTPRequest, _ error: APIError) -> APIError {
        Log.debug("sign-in refused", ["client": request.client, "request": request.id])
        return error
    }

    /// Whether a request has a session's cookie, valid or not.
    func hasCookie(_ request: HTTPRequest) -> Bool { cookie.secret(in: request) != nil }

    /// Returns the user of a token; nil if no account has it, or if it is no longer pending.
    package func find(_ token: APIToken, in database: PostgresPool) async throws -> SignedInUser? {
        let (hash, moment) = (token.hash, application.signIns.moment())
        var found = try await SignedInUser.find(hash, in: database)
        if let found { try Self.check(found) }
        if let fresh = found, fresh.canBeShownAgain {
            try await AccountWriter.forgetSalt(of: token, in: database)
        }
        if let user = found, user.endsPreviousCode {
            try await RecoveryWriter.endPreviousCode(of: user.id, in: database)
        }
        if let pending = found, pending.isPending {
            if let rooms = try await promote(token, of: pending.id) {
                await endSessions(of: pending.id, in: rooms)
            }
            found = try await SignedInUser.find(hash, in: database)
        }
        if let found { note(found, of: hash, since: moment) }
        return found
    }

    /// Returns the user of a session; nil if it is not valid, or no longer.
    private func find(_ secret: SessionSecret, in database: PostgresPool) async throws -> SignedInUser? {
        let (hash, moment) = (secret.hash, application.signIns.moment())
        guard let user = try await SignedInUser.find(hash, in: database) else { return nil }
        try Self.check(user)
        note(user, of: hash, since: moment)
        return user
    }

    private func note(_ user: SignedInUser, of hash: [UInt8], since moment: SignInCache.Moment) {
        uses.note(user)
        application.signIns.keep(user, of: hash, since: moment)
    }

    /// Throws a 403 for an account that is suspended.
    private static func check(_ user: SignedInUser) throws(APIError) {
        guard let suspension = user.suspension else { return }
        var error: APIError
        if let until = suspension.until {
            error = APIError(.suspended, "This account is suspended until \(until): \(suspension.reason)")
        } else {
            error = APIError(.suspended, "This account is suspended: \(suspension.reason)")
        }
        error.problem.reason = suspension.reason
        error.problem.until = suspension.until
        throw error
    }

    /// Ends the sessions under a token that is no longer valid: streams everywhere, and sockets in these
    /// rooms.
    package func endSessions(of user: Identifier, in rooms: [Identifier]) async {
        application.changed(.user(user))
        for room in rooms { application.tellOthers(.room(room)) }
        await refreshRooms(rooms)
    }

    /// Runs a body that may end the user's sessions. If its commit is in doubt, all servers compare the
    /// user's sessions with the database all the same.
    func endingSessionsInDoubt<Value>(
        of user: Identifier, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError {
            if case .commitUnknown = error { application.changed(.user(user)) }
            throw error
        }
    }

    /// Runs a transaction that may end the user's sessions. Returns its value, and the user's open rooms.
    func changingSessions<Value>(
        of user: Identifier, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> (Value, rooms: [Identifier]) {
        try await endingSessionsInDoubt(of: user) {
            try await application.locks.transaction(under: .user(user)) { connection in
                (try await body(connection), try await UserRooms.read(of: user, on: connection))
            }
        }
    }

    // The first use of a pending token.

    /// The user's open rooms; nil where the token is not pending any more.
    private func promote(_ token: APIToken, of user: Identifier) async throws -> [Identifier]? {
        let (isPromoted, rooms) = try await changingSessions(of: user) { connection in
            try await AccountWriter.promote(token, on: connection)
        }
        return isPromoted ? rooms : nil
    }
}
