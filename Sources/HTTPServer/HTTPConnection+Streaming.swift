import HTTP1
import Reactor

/// Responses whose body a task writes piece by piece.
extension HTTPConnection {
    func startStreaming(
        _ exchange: Exchange, _ response: HTTPResponse,
        _ body: @escaping @Sendable (ResponseStream) async -> Void
    ) {
        let head = exchange.request.head
        if hasPeerEnded { return leaveIdle() }
        let isChunked = head.minorVersion == 1
        // The end of a streamed body is also the end of the connection.
        let headers = worker.headers(for: response, to: head, keepAlive: false)
        let common = worker.commonFields(exchange.request.requestID)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encodeHead(
                status: response.status, headers: headers, common,
                framing: isChunked ? .chunked : .untilClose, into: &bytes)
        }
        phase = .streaming(exchange)
        exchange.status = response.status
        deadline = worker.now &+ worker.timeouts.streamKeepAlive
        if head.method == .head { return streamingEnded() }
        let writer = ResponseStream(connection: LoopBound(self, to: worker.loop), loop: worker.loop)
        let connection = writer.connection
        exchange.task = Task(executorPreference: worker.loop) {
            await body(writer)
            connection.value.streamingEnded()
        }
    }

    /// Writes a piece of the body; returns whether the stream is still open.
    func writeStreamed(_ data: [UInt8]) -> Bool {
        guard case .streaming(let exchange) = phase, stream.isOpen else { return false }
        deadline = worker.now &+ worker.timeouts.streamKeepAlive
        if exchange.request.head.minorVersion == 1 {
            worker.write(to: stream) { Chunk.encode(data, into: &$0) }
        } else {
            stream.write(data)
        }
        return true
    }

    func whenDrained(_ continuation: CheckedContinuation<Bool, Never>) {
        guard case .streaming = phase, stream.isOpen else { return continuation.resume(returning: false) }
        if stream.pendingBytes < Self.highWater { return continuation.resume(returning: true) }
        resumeWriter(isOpen: true)
        drainWaiter = continuation
    }

    func resumeWriter(isOpen: Bool) {
        drainWaiter?.resume(returning: isOpen)
        drainWaiter = nil
    }

    func streamingEnded() {
        guard case .streaming(let exchange) = phase else { return }
        observe(exchange.request, exchange.status, since: exchange.started)
        let head = exchange.request.head
        if head.minorVersion == 1 && head.method != .head { stream.write(Chunk.last) }
        closeGracefully()
    }
}
