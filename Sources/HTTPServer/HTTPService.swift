package import HTTP1

/// The router and the callbacks that a server is given.
package struct HTTPService: Sendable {
    package var router: Router
    /// Returns the response for a request that is refused before a handler sees it. The string is the
    /// request's id.
    package var refuse: @Sendable (HTTPServerError, String) -> HTTPResponse
    /// Called for each request that was answered without a handler, with the status; the method is nil if no
    /// head was read.
    package var refused: @Sendable (HTTPMethod?, Int) -> Void
    /// Called for each finished request, with the status and its duration in seconds.
    package var observe: @Sendable (HTTPRequest, Int, Double) -> Void
    /// Whether a request of that head is not counted for the limits of its address, and neither is its
    /// connection from then on.
    package var isUnlimited: @Sendable (RequestHead) -> Bool
    /// Returns the most bytes of the body of a request with that head; nil for the server's limit.
    package var bodyLimit: @Sendable (RequestHead) -> Int?
    /// The origins whose pages may read answers; nil for none.
    package var sharing: CrossOriginSharing?
    /// Called when a limit is reached, at most once a minute for each, with a detail.
    package var notice: @Sendable (LimitEvent, String) -> Void

    package init(
        router: Router, refuse: @escaping @Sendable (HTTPServerError, String) -> HTTPResponse,
        notice: @escaping @Sendable (LimitEvent, String) -> Void = { _, _ in },
        isUnlimited: @escaping @Sendable (RequestHead) -> Bool = { _ in false },
        bodyLimit: @escaping @Sendable (RequestHead) -> Int? = { _ in nil },
        sharing: CrossOriginSharing? = nil,
        refused: @escaping @Sendable (HTTPMethod?, Int) -> Void = { _, _ in },
        observe: @escaping @Sendable (HTTPRequest, Int, Double) -> Void = { _, _, _ in }
    ) {
        self.router = router
        self.refuse = refuse
        self.notice = notice
        self.isUnlimited = isUnlimited
        self.bodyLimit = bodyLimit
        self.sharing = sharing
        self.refused = refused
        self.observe = observe
    }
}
