package import HTTP1
package import Tracing

/// The router and the callbacks that a server is given.
package struct HTTPService: Sendable {
    package var router: Router
    /// Returns the response for a request that is refused before a handler sees it. The head is nil
    /// if none was read; the string is the request's id.
    package var refuse: @Sendable (HTTPServerError, RequestHead?, String) -> HTTPResponse
    /// Called for each request that was answered, by a handler or without one.
    package var answered: @Sendable (AnsweredRequest) -> Void
    /// Whether a request of that head is not counted for the limits of its address, and neither is its
    /// connection from then on.
    package var isUnlimited: @Sendable (RequestHead) -> Bool
    /// Whether a request of that head is not counted for the rate of its address.
    package var isUncounted: @Sendable (RequestHead) -> Bool
    /// Returns the most bytes of the body of a request with that head and a route of that pattern, if it is
    /// less than its route permits; else nil.
    package var bodyLimit: @Sendable (RequestHead, String) -> Int?
    /// The origins whose pages may read answers; nil for none.
    package var sharing: CrossOriginSharing?
    /// Returns the span of a request of that head; nil if it is not traced. The string is the pattern of its
    /// route, the flag says whether a trusted proxy has sent it, and the number is random, from 0 to 99. Nil
    /// for a server that traces nothing.
    package var trace: (@Sendable (RequestHead, String, Bool, Int) -> Span?)?
    /// Called when a limit is reached, at most once a minute for each, with a detail.
    package var notice: @Sendable (LimitEvent, String) -> Void

    package init(
        router: Router,
        refuse: @escaping @Sendable (HTTPServerError, RequestHead?, String) -> HTTPResponse,
        notice: @escaping @Sendable (LimitEvent, String) -> Void = { _, _ in },
        isUnlimited: @escaping @Sendable (RequestHead) -> Bool = { _ in false },
        isUncounted: @escaping @Sendable (RequestHead) -> Bool = { _ in false },
        bodyLimit: @escaping @Sendable (RequestHead, String) -> Int? = { _, _ in nil },
        sharing: CrossOriginSharing? = nil,
        trace: (@Sendable (RequestHead, String, Bool, Int) -> Span?)? = nil,
        answered: @escaping @Sendable (AnsweredRequest) -> Void = { _ in }
    ) {
        self.router = router
        self.refuse = refuse
        self.notice = notice
        self.isUnlimited = isUnlimited
        self.isUncounted = isUncounted
        self.bodyLimit = bodyLimit
        self.sharing = sharing
        self.trace = trace
        self.answered = answered
    }
}
