/// What a server is told to serve.
package struct HTTPService: Sendable {
    package var router: Router
    /// The answer to what is refused before a handler sees it. The string is the request's id.
    package var refuse: @Sendable (ServerFault, String) -> HTTPResponse
    /// Told of each finished request: its method, its path, the status, and the seconds that it took.
    package var observe: @Sendable (HTTPRequest, Int, Double) -> Void

    package init(
        router: Router, refuse: @escaping @Sendable (ServerFault, String) -> HTTPResponse,
        observe: @escaping @Sendable (HTTPRequest, Int, Double) -> Void = { _, _, _ in }
    ) {
        self.router = router
        self.refuse = refuse
        self.observe = observe
    }
}
