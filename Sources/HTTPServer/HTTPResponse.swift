package import HTTP1

/// An answer, to be written by the connection that the request came from.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Written by a task as it comes; ends when the closure returns, and the task is cancelled when the
        /// client goes.
        case stream(@Sendable (ResponseStream) async -> Void)
        /// The connection leaves HTTP.
        case upgrade(Upgrade)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = .bytes(body)
    }

    package init(
        status: Int, headers: HTTPHeaders, streaming: @escaping @Sendable (ResponseStream) async -> Void
    ) {
        self.status = status
        self.headers = headers
        body = .stream(streaming)
    }

    package init(upgrade: Upgrade) {
        status = 101
        headers = upgrade.headers
        body = .upgrade(upgrade)
    }
}
