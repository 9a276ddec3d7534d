package import Contract
package import Database
import HTTP1
import HTTPServer
import Reactor
package import Settings

/// The limits on the requests of one address or one account. Each server counts for itself.
package final class RequestLimits: Sendable {
    /// The limits that an address or an account can meet, in the order of `/metrics`.
    package enum Kind: String, CaseIterable, Sendable {
        case signUps, account, registrations, streams, recoveries, exports, addressRegistrations
        case routines, replays, codes
    }

    private let signUps: RateLimiter<ClientAddress>?
    private let recoveries: RateLimiter<ClientAddress>?
    private let codes: RateLimiter<ClientAddress>?
    private let registrations: RateLimiter<ClientAddress>?
    /// The routines that an account makes, changes or has leave a day out, in an hour and at once.
    static let routineChangesPerHour = 60
    private let routines = RateLimiter<Identifier>(
        routineChangesPerHour, per: .seconds(3600), burst: routineChangesPerHour)
    /// The replays of failed deliveries that an account begins in an hour, and at once.
    static let replaysPerHour = 12
    private let replays = RateLimiter<Identifier>(
        replaysPerHour, per: .seconds(3600), burst: replaysPerHour)
    private let account: RateLimiter<Identifier>?
    private let streams: StreamPlaces?
    private let maximumStreams: Int
    /// The exports at once: each has the database read one page after the other, for as long as its reader is
    /// fast.
    static let exportLimits = SharedPlaces.Limits(
        together: 32, perAddress: 8, perAccount: 1, patience: .seconds(5))
    private let exports: SharedPlaces
    private let refusals = Lock<[Kind: Int]>([:])
    private let hits = Lock(LimitHits())
    private let now: CurrentTime

    /// Creates the limits. Without `now` the refusals have the time of the machine.
    package init(
        _ configuration: ServerConfiguration, now: CurrentTime? = nil, exports: SharedPlaces? = nil
    ) {
        self.exports = exports ?? SharedPlaces(Self.exportLimits)
        self.now = now ?? { Timestamp(microseconds: WallClock.microseconds()) }
        let (signUps, account) = (configuration.signUpsPerMinute, configuration.accountRequestsPerSecond)
        self.signUps = signUps > 0 ? RateLimiter(signUps, per: .seconds(60), burst: signUps) : nil
        codes = signUps > 0 ? RateLimiter(signUps, per: .seconds(60), burst: signUps) : nil
        recoveries = signUps > 0 ? RateLimiter(signUps, per: .seconds(60), burst: signUps) : nil
        let perHour = configuration.registrationsPerHour
        registrations = perHour > 0 ? RateLimiter(perHour, per: .seconds(3600), burst: perHour) : nil
        self.account = account > 0 ? RateLimiter(account, per: .seconds(1), burst: 3 * account) : nil
        maximumStreams = configuration.accountStreams
        streams = maximumStreams > 0 ? StreamPlaces(maximum: maximumStreams) : nil
    }

    /// The number of refusals by each limit.
    package var counts: [Kind: Int] { refusals.withLock { $0 } }

    /// The number of event streams that newer ones of their accounts have replaced.
    package var replacedStreams: Int { streams?.replacedCount ?? 0 }

    /// The refusals of an account since a while; nil for none.
    package func hits(of account: Identifier) -> LimitHits.Account? { hits.withLock { $0[account] } }

    /// Throws if the address has created too many accounts lately.
    func checkSignUp(_ client: ClientAddress) throws(APIError) {
        guard let seconds = signUps?.take(client, now: Monotonic.nanoseconds()).retryAfter else { return }
        throw refusal(
            .signUps, .quotaExceeded,
            "Your address made many accounts lately. Wait \(seconds) s before the next.", after: seconds,
            violating: .signUps)
    }

    /// Throws if the address has tried too many recovery codes lately: as many as it may create accounts.
    func checkRecovery(_ client: ClientAddress) throws(APIError) {
        guard let seconds = recoveries?.take(client, now: Monotonic.nanoseconds()).retryAfter else { return }
        throw refusal(
            .recoveries, .quotaExceeded,
            "Your address tried many recovery codes lately. Wait \(seconds) s before the next.",
            after: seconds, violating: .recoveries)
    }

    /// Throws if the address has tried too many codes of operators and invites for accounts lately: as many
    /// as it may create accounts.
    func checkCode(_ client: ClientAddress) throws(APIError) {
        guard let seconds = codes?.take(client, now: Monotonic.nanoseconds()).retryAfter else { return }
        throw refusal(
            .codes, .quotaExceeded,
            "Your address tried many codes lately. Wait \(seconds) s before the next.", after: seconds,
            violating: .codes)
    }

    /// Throws if the address has made so many registrations lately that it may not make as many more. With 0
    /// nothing is taken: a routine is checked before it registers, and noted afterwards.
    func checkRegistrations(_ count: Int, from client: ClientAddress) throws(APIError) {
        let now = Monotonic.nanoseconds()
        guard let seconds = registrations?.take(count, of: client, now: now).retryAfter else { return }
        throw refusal(
            .addressRegistrations, .quotaExceeded,
            "Your address made many registrations lately. Wait \(seconds) s before the next.",
            after: seconds, violating: .registrations)
    }

    /// Gives back what was taken for registrations that were not stored.
    func giveBackRegistrations(_ count: Int, to client: ClientAddress) {
        registrations?.giveBack(count, to: client)
    }

    /// Notes registrations that a routine has made for a request.
    func noteRegistrations(_ count: Int, from client: ClientAddress) {
        registrations?.take(count, of: client, isMade: true, now: Monotonic.nanoseconds())
    }

    /// Throws if the account has changed its routines too often lately.
    func checkRoutineChange(of user: Identifier) throws(APIError) {
        guard let seconds = routines.take(user, now: Monotonic.nanoseconds()).retryAfter else { return }
        throw refusal(
            .routines, .quotaExceeded,
            "You changed your routines often lately. Wait \(seconds) s before the next change.",
            after: seconds, violating: .routines, of: user)
    }

    /// Throws if the account has begun too many replays lately: each may send a thousand deliveries.
    func checkReplay(of user: Identifier) throws(APIError) {
        guard let seconds = replays.take(user, now: Monotonic.nanoseconds()).retryAfter else { return }
        throw refusal(
            .replays, .quotaExceeded,
            "You replayed failed deliveries often lately. Wait \(seconds) s before the next time.",
            after: seconds, violating: .replays, of: user)
    }

    /// Takes one of the requests that the account may send. Returns the fields of the answer that tell the
    /// limit and what is left of it (draft-ietf-httpapi-ratelimit-headers-10, §3 and §4); none if there is no
    /// limit. Throws if the account sends too many.
    @discardableResult
    func checkRequest(of user: Identifier) throws(APIError) -> HTTPHeaders {
        guard let account else { return [:] }
        let standing = account.take(user, now: Monotonic.nanoseconds())
        let name = "\"\(QuotaPolicy.account.rawValue)\""
        let fields: HTTPHeaders = [
            "RateLimit-Policy": "\(name);q=\(account.burst);w=\(account.window)",
            "RateLimit": "\(name);r=\(standing.remaining);t=\(standing.reset)",
        ]
        guard let seconds = standing.retryAfter else { return fields }
        var error = refusal(
            .account, .quotaExceeded,
            "Your account sends too many requests. Wait \(seconds) s, then go on more slowly.",
            after: seconds, violating: .account, of: user)
        for field in fields.fields { error.headers[field.name] = field.value }
        throw error
    }

    /// Returns the place of one more event stream, to be held while the stream is open; nil if there is no
    /// limit. It may end the oldest stream of the account. Throws if the account has reached the limit, and
    /// has had a stream replaced lately.
    package func stream(of user: Identifier) throws(APIError) -> StreamPlaces.Place? {
        guard let streams else { return nil }
        if let place = streams.take(for: user) { return place }
        throw refusal(
            .streams, .tooManyStreams,
            "You have \(maximumStreams) event streams open, which is as many as one may have. "
                + "Close one of them.",
            after: 5, of: user)
    }

    /// Returns the place of an export, to be held until its last byte is written. It may end an export whose
    /// reader is slow. Throws if the account has one already, or its address or the server as many as it may
    /// have.
    func export(of user: Identifier, from client: ClientAddress) throws(APIError) -> SharedPlaces.Place {
        do throws(SharedPlaces.NoPlace) {
            return try exports.take(for: user, from: client)
        } catch {
            switch error {
            case .account:
                throw refusal(
                    .exports, .tooManyExports,
                    "An export of your account is under way. Read it to its end first.",
                    after: 5, of: user)
            case .full:
                throw refusal(
                    .exports, .tooManyExports, "Many accounts are exported just now. Try again soon.",
                    after: 10)
            }
        }
    }

    /// Returns the error for too many open registrations. If one request exceeds the limit by itself, waiting
    /// does not help: `Retry-After`, which every 429 has, is long then.
    func tooManyRegistrations(
        _ open: OpenRegistrations, asked: Int, of user: Identifier, now: Timestamp
    ) -> APIError {
        if asked > open.allowed {
            return refusal(
                .registrations, .tooManyRegistrations,
                open.allowed == 1
                    ? "You asked for \(asked) slots at once, and may hold 1 registration that is not over. "
                        + "Ask for one."
                    : "You asked for \(asked) slots at once, and may hold \(open.allowed) registrations "
                        + "that are not over. Ask for fewer.",
                after: 3_600, of: user)
        }
        let until = open.firstEnd.map { ($0.microseconds - now.microseconds) / 1_000_000 } ?? 0
        return refusal(
            .registrations, .tooManyRegistrations,
            open.count == 1
                ? "You have 1 registration that is not over, and may have \(open.allowed). Cancel it, "
                    + "or wait until it is over."
                : "You have \(open.count) registrations that are not over, and may have \(open.allowed). "
                    + "Cancel some, or wait until the first is over.",
            after: max(1, Int(until) + 1), of: user)
    }

    /// Returns the error for too many registrations that were made in one day of UTC; the next day allows
    /// more.
    func tooManyRegistrations(
        today made: MadeRegistrations, asked: Int, of user: Identifier, now: Timestamp
    ) -> APIError {
        let day = 86_400 - Int(now.seconds % 86_400)
        return refusal(
            .registrations, .tooManyRegistrations,
            made.count == 1
                ? "You have made 1 registration today and may make \(made.allowed) a day, cancelled ones "
                    + "included; you asked for \(asked) more. The count starts again at 00:00 UTC."
                : "You have made \(made.count) registrations today and may make \(made.allowed) a day, "
                    + "cancelled ones included; you asked for \(asked) more. The count starts again at "
                    + "00:00 UTC.",
            after: day, of: user)
    }

    private func refusal(
        _ kind: Kind, _ name: ProblemName, _ detail: Text, after seconds: Int,
        violating policy: QuotaPolicy? = nil, of account: Identifier? = nil
    ) -> APIError {
        if let account { hits.withLock { $0.note(kind, of: account, at: now()) } }
        refusals.withLock { $0[kind, default: 0] += 1 }
        var error = APIError(name, detail, headers: ["Retry-After": String(seconds)])
        error.problem.violatedPolicies = policy.map { [$0.rawValue] }
        return error
    }
}
