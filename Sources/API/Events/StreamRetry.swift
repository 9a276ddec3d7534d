/// The range of the waits before clients of event streams reconnect. Each stream gets another wait, so that
/// clients that lost their streams together do not come back together.
struct StreamRetry: Sendable {
    /// The range in milliseconds.
    let range: ClosedRange<Int>

    /// For a stream that has begun, once it has ended.
    static let afterEnd = StreamRetry(range: 1_000...3_000)
    /// For a stream that a busy server did not begin.
    static let whenBusy = StreamRetry(range: 2_000...10_000)

    /// The line that sets the wait of a client (WHATWG HTML, section 9.2.6).
    var field: String { "retry: \(Int.random(in: range))\n" }
}
