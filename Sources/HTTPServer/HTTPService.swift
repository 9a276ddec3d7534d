package import HTTP1

/// What a server is told to serve.
package struct HTTPService: Sendable {
    package var router: Router
    /// The answer to what is refused before a handler sees it. The string is the request's id.
    package var refuse: @Sendable (HTTPServerError, String) -> HTTPResponse
    /// Told of what was answered without a handler, and the status: the method is nil where no head was read.
    package var refused: @Sendable (HTTPMethod?, Int) -> Void
    /// Told of each finished request, the status, and the seconds that it took.
    package var observe: @Sendable (HTTPRequest, Int, Double) -> Void
    /// Told when a limit is reached, once a minute for each at most, with a word on where or why.
    package var notice: @Sendable (LimitEvent, String) -> Void

    package init(
        router: Router, refuse: @escaping @Sendable (HTTPServerError, String) -> HTTPResponse,
        notice: @escaping @Sendable (LimitEvent, String) -> Void = { _, _ in },
        refused: @escaping @Sendable (HTTPMethod?, Int) -> Void = { _, _ in },
        observe: @escaping @Sendable (HTTPRequest, Int, Double) -> Void = { _, _, _ in }
    ) {
        self.router = router
        self.refuse = refuse
        self.notice = notice
        self.refused = refused
        self.observe = observe
    }
}
