package import HTTP1

/// A response, which the connection of the request writes.
package struct HTTPResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A task writes events piece by piece; the body ends when the closure returns. A silent stream is
        /// kept alive, and the task is cancelled when the client disconnects or the server drains.
        case stream(@Sendable (ResponseStream) async -> Void)
        /// A task writes a document piece by piece, which a draining server lets it finish. If the closure
        /// throws, the connection is closed without the end of the body, so that the client can tell. The
        /// task is cancelled when the client disconnects, or reads too slowly.
        case document(@Sendable (ResponseStream) async throws -> Void)
        /// The connection becomes a WebSocket.
        case upgrade(Upgrade)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body
    /// The account that sent the request, as the handler has found out. For the access log only; it is never
    /// sent.
    package var account: (any CustomStringConvertible & Sendable)?

    /// Returns the bytes that wait elsewhere for a streamed body. They count as memory of its connection.
    package var queuedBytes: (@Sendable () -> Int)?

    /// The bytes that a silent stream of events gets after the server's usual ones.
    package var heartbeat: [UInt8] = []

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

    package init(
        status: Int, headers: HTTPHeaders,
        document: @escaping @Sendable (ResponseStream) async throws -> Void
    ) {
        self.status = status
        self.headers = headers
        body = .document(document)
    }

    /// The number of bytes of the body that are sent at once; zero in answer to HEAD.
    func byteCount(for head: RequestHead?) -> Int {
        guard case .bytes(let bytes) = body, head?.method != .head else { return 0 }
        return bytes.count
    }

    package init(upgrade: Upgrade) {
        status = 101
        headers = upgrade.headers
        body = .upgrade(upgrade)
    }
}
