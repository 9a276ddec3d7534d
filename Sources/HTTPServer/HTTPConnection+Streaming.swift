import HTTP1
import Reactor

/// Responses whose body a task writes piece by piece.
extension HTTPConnection {
    /// The request that is being answered.
    final class Exchange {
        let request: HTTPRequest
        /// The start in monotonic nanoseconds; nil if it was answered at once.
        let started: UInt64?
        var task: Task<Void, Never>?
        /// The status in the head that was sent, if the body is streamed.
        var status = 200
        /// The bytes of the body that were written so far, if it is streamed.
        var bytes = 0
        var account: (any CustomStringConvertible & Sendable)?
        /// Whether the service was told of the end of the streamed body.
        var isAnswered = false
        /// Whether the streamed body is a document, which has an end.
        let isDocument: Bool

        /// Whether the body of the answer has begun.
        private let isStreamed: Bool
        /// Returns the bytes that wait for the streamed body.
        var queuedBytes: (@Sendable () -> Int)?
        /// The bytes that a silent stream gets after the server's usual ones.
        var heartbeat: [UInt8] = []

        /// The bytes that count for the request and its answer, beside the output.
        var heldBytes: Int {
            request.head.heldBytes + request.body.count
                + (isStreamed ? queuedBytes?() ?? 0 : MemoryBudget.requestOverhead)
        }

        init(
            _ request: HTTPRequest, since started: UInt64?, isDocument: Bool = false, isStreamed: Bool = false
        ) {
            self.request = request
            self.isStreamed = isStreamed
            self.started = started
            self.isDocument = isDocument
        }

        /// Cancels the handler. Returns false if it was cancelled already.
        func cancel() -> Bool {
            guard let task, !task.isCancelled else { return false }
            task.cancel()
            return true
        }
    }

    /// The request that is being answered; nil between requests.
    var exchange: Exchange? {
        switch phase {
        case .responding(let exchange), .streaming(let exchange): exchange
        case .reading, .flushing, .closing, .closed: nil
        }
    }

    func startStreaming(
        _ exchange: Exchange, _ response: HTTPResponse,
        _ body: @escaping @Sendable (ResponseStream) async throws -> Void
    ) {
        let head = exchange.request.head
        if hasPeerEnded && !exchange.isDocument { return leaveIdle() }
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
        exchange.account = response.account
        exchange.queuedBytes = response.queuedBytes
        exchange.heartbeat = response.heartbeat
        deadline = streamDeadline(exchange)
        if head.method == .head { return streamingEnded() }
        let writer = ResponseStream(connection: LoopBound(self, to: worker.loop), loop: worker.loop)
        let connection = writer.connection
        exchange.task = Task(executorPreference: worker.loop) {
            do {
                try await body(writer)
                connection.value.streamingEnded()
            } catch {
                connection.value.streamingFailed()
            }
        }
        // The server may have begun to stop while the handler worked on the request.
        if worker.isDraining { drain() }
    }

    /// Whether a task writes events, which have no end of their own.
    var isEventStream: Bool {
        if case .streaming(let exchange) = phase { !exchange.isDocument } else { false }
    }

    /// Writes a piece of the body; returns whether the stream is still open.
    func writeStreamed(_ data: [UInt8]) -> Bool {
        guard case .streaming(let exchange) = phase, stream.isOpen else { return false }
        deadline = streamDeadline(exchange)
        exchange.bytes += data.count
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
        drainWaiter.take()?.resume(returning: isOpen)
    }

    /// Returns when the connection is looked at again: a client that has not read everything by then is
    /// too slow.
    func streamDeadline(_ exchange: Exchange) -> UInt32 {
        worker.now &+ (exchange.isDocument ? worker.timeouts.write : worker.timeouts.streamKeepAlive)
    }

    /// Goes on waiting for a task that has written nothing for a while.
    func keepAlive(_ exchange: Exchange) {
        // The task of a document waits for something else than the client, and has a time limit there.
        if exchange.isDocument {
            deadline = streamDeadline(exchange)
        } else {
            _ = writeStreamed(worker.configuration.streamKeepAlive + exchange.heartbeat)
        }
    }

    /// Closes the connection without the end of the body. What was written in this turn is sent first, as far
    /// as the socket takes it, so that the client sees a beginning that was cut.
    func streamingFailed() {
        guard case .streaming = phase else { return }
        stream.push()
        close()
    }

    /// Reports the end of a streamed body to the service, whichever side has ended it.
    func answered(_ exchange: Exchange) {
        if exchange.isAnswered { return }
        exchange.isAnswered = true
        answered(
            exchange.request, exchange.status, since: exchange.started, bytes: exchange.bytes,
            account: exchange.account, isStream: !exchange.isDocument)
    }

    func streamingEnded() {
        guard case .streaming(let exchange) = phase else { return }
        answered(exchange)
        let head = exchange.request.head
        if head.minorVersion == 1 && head.method != .head { stream.write(Chunk.last) }
        closeGracefully()
    }

    /// Ends the connection, after what is still to be written.
    func leaveIdle() {
        if stream.pendingBytes > 0 { closeGracefully() } else { close() }
    }
}
