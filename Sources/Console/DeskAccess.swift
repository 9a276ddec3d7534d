import API
import Contract
import Crypto
import Database
import HTTP1
import HTTPServer
import Logging
import Postgres
import Reactor

/// The access to the admin API: sessions by a cookie, and tokens of scripts.
struct DeskAccess: Sendable {
    static let cookie = SessionCookie(
        name: "letsswitch-desk", maximumAge: Int(OperatorSessions.life.components.seconds))

    let pool: PostgresPool
    let now: CurrentTime
    let failures = SignInGuard()
    /// The hash of no password, which is computed for names that are none: their answer takes as long.
    private let placeholder = PasswordHash(
        salt: [UInt8](repeating: 1, count: PasswordHash.saltLength),
        hash: [UInt8](repeating: 0, count: PasswordHash.length), parameters: .standard)

    /// Returns the session of a request. Throws a 401 without one, and a 403 for a role that is not enough,
    /// or for a change by cookie that no page of this listener has asked for.
    func read(
        _ request: HTTPRequest, least: OperatorRole, isWrite: Bool
    ) async throws -> OperatorSession {
        let session = try await find(request)
        if !session.isToken, isWrite { try Self.checkSite(request) }
        guard session.account.role >= least else {
            throw APIError(
                .forbidden,
                "This takes the role \(least.rawValue); yours is \(session.account.role.rawValue).")
        }
        return session
    }

    /// Browsers say by themselves where a request comes from.
    static func checkSite(_ request: HTTPRequest) throws(APIError) {
        guard request.head.headers.all("sec-fetch-site") == ["same-origin"] else { throw foreign }
    }

    /// Refuses a sign-in that a page of another origin sends. Programs send none of these fields.
    static func checkSignIn(_ request: HTTPRequest) throws(APIError) {
        let headers = request.head.headers
        if headers.contains("sec-fetch-site") { return try checkSite(request) }
        let pages = headers.contains("origin") ? headers.all("origin") : headers.all("referer")
        guard pages.allSatisfy({ isOwn($0, request.head) }) else { throw foreign }
    }

    /// Whether the URL of a page is of the origin that the request is for. The scheme may be either: a proxy
    /// may do TLS.
    private static func isOwn(_ page: String, _ head: RequestHead) -> Bool {
        guard let page = try? WebURL(page), let authority = head.authority else { return false }
        return (try? WebURL("\(page.isSecure ? "https" : "http")://\(authority)"))?.origin == page.origin
    }

    private static let foreign = APIError(
        .crossSite, "The cookie changes something for pages of this desk alone. Send a token instead.")

    private func find(_ request: HTTPRequest) async throws -> OperatorSession {
        guard let secret = try Self.secret(of: request),
            let session = try await OperatorSessions.find(secret, at: now(), in: pool)
        else { throw Self.unauthenticated }
        return session
    }

    /// Whether the session of a request has ended. It has not where the database does not answer.
    func isOver(_ request: HTTPRequest) async -> Bool {
        do {
            _ = try await find(request)
            return false
        } catch {
            return error is APIError
        }
    }

    /// Returns the token of a request, or else its cookie's value; nil for neither.
    static func secret(of request: HTTPRequest) throws(APIError) -> OperatorSecret? {
        let values = request.head.headers.authorizations("bearer")
        if values.isEmpty { return cookie.secret(OperatorCookie.self, in: request).map { .session($0) } }
        guard values.count == 1, let token = OperatorToken(values[0]) else { throw unauthenticated }
        return .token(token)
    }

    static let unauthenticated = APIError(
        .unauthenticated, "Sign in, or send Authorization: Bearer followed by an operator's token.",
        headers: ["WWW-Authenticate": "Bearer realm=\"letsswitch desk\""])

    private static let refused = APIError(
        .unauthenticated, "Name, password or code is not right, or the account is disabled.",
        headers: ["WWW-Authenticate": "Bearer realm=\"letsswitch desk\""])

    /// Checks a password, and a one-time code where the operator has them. Returns the operator, and the step
    /// of the code.
    func check(
        _ name: String, _ password: String, code: String?, from address: String
    ) async throws -> (operator: StoredOperator, codeStep: Int64?) {
        let stored = try await OperatorAccounts.find(name, from: address, in: pool)
        try failures.begin(name, from: address, isKnown: stored?.knowsAddress ?? false, at: now())
        var hasSucceeded = false
        defer {
            failures.end(name, from: address, hasSucceeded: hasSucceeded)
            if !hasSucceeded { Log.warning("operator sign-in failed", ["client": address]) }
        }
        let hash = stored?.password ?? placeholder
        let isRight = try await BlockingThread.run { () throws(CryptoError) in try hash.isOf(password) }
        guard isRight, let stored, !stored.isDisabled else { throw Self.refused }
        var step: Int64?
        if let oneTime = stored.code {
            step = code.flatMap { oneTime.step(of: $0, at: now().seconds, after: stored.codeStep) }
            if step == nil { throw Self.refused }
        }
        hasSucceeded = true
        return (stored, step)
    }
}
