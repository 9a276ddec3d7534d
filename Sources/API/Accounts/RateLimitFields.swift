import Contract
import HTTP1
import HTTPServer

/// The fields of an answer that tell a limit and what is left of it
/// (draft-ietf-httpapi-ratelimit-headers-10, §3 and §4): `RateLimit-Policy: "account";q=60;w=3` and
/// `RateLimit: "account";r=59;t=1`.
struct RateLimitFields {
    private let policy: String
    private let limit: String

    /// Describes the standing of a caller with a limiter.
    init<Key>(_ policy: QuotaPolicy, _ limiter: RateLimiter<Key>, _ standing: RateLimiter<Key>.Standing) {
        self.policy = "\"\(policy.rawValue)\";q=\(limiter.burst);w=\(limiter.window)"
        limit = "\"\(policy.rawValue)\";r=\(standing.remaining);t=\(standing.reset)"
    }

    var all: [(name: String, value: String)] { [("RateLimit-Policy", policy), ("RateLimit", limit)] }

    /// Adds the fields to an answer.
    func add(to headers: inout HTTPHeaders) {
        for (name, value) in all { headers.append(name, value) }
    }
}
