package import HTTP1

/// A response, which the connection of the request writes.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A task writes the body piece by piece; it ends when the closure returns, and the task is cancelled
        /// when the client disconnects.
        case stream(@Sendable (ResponseStream) async -> Void)
        /// The connection becomes a WebSocket.
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
