import HTTP1
import Reactor

/// The pace of an account's calls, which the server reports with each answer
/// (draft-ietf-httpapi-ratelimit-headers-10): when nothing is left of the limit, the next call waits for as
/// long as one takes to come back, so that it is not refused. All copies of a client share it.
final class RequestPace: Sendable {
    /// The longest wait. What a server asks for beyond it is left to `Retry-After`.
    private static let longest = 1_000_000_000.0

    /// The monotonic instant in nanoseconds before which no call begins.
    private let earliest = Lock<UInt64>(0)

    /// Returns the wait before a call that begins now.
    func wait(now: UInt64 = Monotonic.nanoseconds()) -> Duration {
        earliest.withLock { .nanoseconds(Int64(clamping: $0 > now ? $0 - now : 0)) }
    }

    /// Takes in the limit's fields of an answer.
    func note(_ headers: HTTPHeaders, now: UInt64 = Monotonic.nanoseconds()) {
        guard let limit = headers.first("ratelimit"), let policy = headers.first("ratelimit-policy"),
            Self.parameter("r", of: limit) == 0, let quota = Self.parameter("q", of: policy), quota > 0,
            let window = Self.parameter("w", of: policy)
        else { return }
        let pause = UInt64(min(Double(window) * 1e9 / Double(quota), Self.longest))
        earliest.withLock { $0 = max($0, now + pause) }
    }

    /// Returns a parameter of the first item of a list (RFC 9651 §3.1), if it is an integer that is not
    /// negative. The items that this service sends have names without commas and semicolons.
    private static func parameter(_ name: String, of list: String) -> Int? {
        guard let item = list.split(separator: ",", maxSplits: 1).first else { return nil }
        for part in item.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            if pair.count == 2 && pair[0] == name { return Int(pair[1]).flatMap { $0 >= 0 ? $0 : nil } }
        }
        return nil
    }
}
