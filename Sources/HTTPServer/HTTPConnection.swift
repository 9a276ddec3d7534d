import HTTP1
import Reactor

/// One HTTP connection, from accept to close or upgrade. Loop only.
///
/// Requests are answered one after the other, in order; what is pipelined waits in the parser, and the socket is
/// not read meanwhile.
final class HTTPConnection: StreamDelegate, Swept {
    private enum Phase {
        /// Reading a request, or waiting for one.
        case reading
        /// A handler is at work.
        case responding(Exchange)
        /// A task writes the body.
        case streaming(Exchange)
        /// The last answer is leaving; then the socket is closed for writing, and what still comes is discarded, so
        /// that the answer is not cut by a reset.
        case lingering
        case closed
    }

    /// The request that is being answered.
    private final class Exchange {
        let request: HTTPRequest
        let started: UInt64
        var task: Task<Void, Never>?

        init(_ request: HTTPRequest) {
            self.request = request
            started = Monotonic.nanoseconds()
        }
    }

    private static let lingerMilliseconds: UInt32 = 2_000
    private static let streamHighWater = 64 * 1024

    var sweepIndex: Int32 = -1
    private unowned let worker: HTTPWorker
    private let stream: Stream
    private var parser: RequestParser
    private var phase = Phase.reading
    private var head: RequestHead?
    private var body: [UInt8] = []
    private var deadline: UInt32
    private var hasPeerEnded = false
    private var hasRemoteHost: String?
    private var drainWaiter: CheckedContinuation<Bool, Never>?

    init(_ descriptor: consuming OwnedDescriptor, worker: HTTPWorker) throws(SystemError) {
        self.worker = worker
        parser = RequestParser(limits: worker.configuration.limits)
        deadline = worker.now &+ worker.configuration.headerTimeout.milliseconds
        stream = try Stream(adopting: descriptor, on: worker.loop)
        stream.delegate = self
        worker.add(self)
    }

    // What the stream says.

    func received(_ bytes: inout MutableRawSpan) {
        switch phase {
        case .reading:
            let wasIdle = parser.isIdle
            parser.receive(bytes.bytes)
            if wasIdle { deadline = worker.now &+ worker.configuration.headerTimeout.milliseconds }
            advance()
        case .responding, .streaming:
            // One read's worth of pipelined requests waits in the parser; the rest waits in the kernel.
            parser.receive(bytes.bytes)
            stream.setPaused(true)
        case .lingering, .closed:
            break
        }
    }

    func ended() {
        hasPeerEnded = true
        switch phase {
        case .reading, .lingering: close()
        case .responding: break  // A client may close its half and still read the answer.
        case .streaming: close()
        case .closed: break
        }
    }

    func failed(_ error: SystemError) { close() }

    func drained() {
        switch phase {
        case .lingering: stream.finishWriting()
        case .streaming: resumeWriter(isOpen: true)
        case .reading, .responding, .closed: break
        }
    }

    // Reading.

    private func advance() {
        do throws(HTTPError) {
            while case .reading = phase, let event = try parser.next() {
                switch event {
                case .head(let head):
                    self.head = head
                    body = []
                    deadline = worker.now &+ worker.configuration.bodyTimeout.milliseconds
                    try expectBody(of: head)
                case .body(let bytes):
                    if body.isEmpty { body = bytes } else { body.append(contentsOf: bytes) }
                case .end:
                    dispatch()
                }
            }
        } catch {
            refuse(.unreadable(error))
        }
    }

    /// RFC 9110 §10.1.1: the client waits for a word before it sends the body, and none of it has come.
    private func expectBody(of head: RequestHead) throws(HTTPError) {
        if case .length(let length) = head.framing, length > parser.bodyLimit {
            throw .bodyTooLarge(limit: parser.bodyLimit)
        }
        if head.expectsContinue && parser.bufferedCount == 0 {
            stream.write(ResponseEncoder.continueResponse)
        }
    }

    private func dispatch() {
        guard let head else { return }
        let id = worker.makeRequestID()
        if let retryAfter = worker.limitRate(remoteHost) {
            return answer(worker.service.refuse(.tooManyRequests(retryAfter: retryAfter), id), to: head, id)
        }
        do throws(PercentCoding.Failure) {
            let query = try QueryItems(head.query)
            if head.path == "*" {
                return answer(HTTPResponse(status: 204), to: head, id)
            }
            switch try worker.service.router.match(head.method, head.path) {
            case .found(let handler, let parameters):
                let request = HTTPRequest(
                    head: head, parameters: parameters, query: query, body: body, id: id,
                    remoteHost: remoteHost,
                    loop: worker.loop)
                body = []
                run(handler, Exchange(request))
            case .notFound:
                answer(worker.service.refuse(.notFound, id), to: head, id)
            case .methodNotAllowed(let allowed):
                answer(worker.service.refuse(.methodNotAllowed(allowed: allowed), id), to: head, id)
            }
        } catch {
            answer(
                worker.service.refuse(.badTarget("the path or the query is not valid UTF-8"), id), to: head,
                id)
        }
    }

    private func run(_ handler: Router.Handler, _ exchange: Exchange) {
        phase = .responding(exchange)
        deadline = worker.now &+ worker.configuration.handlerTimeout.milliseconds
        let request = exchange.request
        switch handler {
        case .immediate(let body):
            finish(exchange, with: body(request))
        case .task(let body):
            start(body, exchange)
        case .immediateElseTask(let immediate, let body):
            if let response = immediate(request) { finish(exchange, with: response) } else { start(body, exchange) }
        }
    }

    private func start(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse, _ exchange: Exchange) {
        let connection = LoopBound(self, to: worker.loop)
        let request = exchange.request
        exchange.task = Task(executorPreference: worker.loop) {
            let response = await body(request)
            connection.value.handlerReturned(response)
        }
    }

    private func handlerReturned(_ response: HTTPResponse) {
        switch phase {
        case .responding(let exchange): finish(exchange, with: response)
        case .reading, .streaming, .lingering, .closed: break  // The client went away meanwhile.
        }
    }

    // Answering.

    private func finish(_ exchange: Exchange, with response: HTTPResponse) {
        let request = exchange.request
        switch response.body {
        case .bytes:
            answer(response, to: request.head, request.id)
            observe(exchange, response.status)
        case .stream(let body):
            startStreaming(exchange, response, body)
        case .upgrade(let upgrade):
            observe(exchange, 101)
            leave(for: upgrade, request: request)
        }
    }

    private func observe(_ exchange: Exchange, _ status: Int) {
        let seconds = Double(Monotonic.nanoseconds() &- exchange.started) / 1e9
        worker.service.observe(exchange.request, status, seconds)
    }

    private func answer(_ response: HTTPResponse, to head: RequestHead, _ id: String) {
        guard case .bytes(let body) = response.body else { return }
        let keepAlive = head.keepAlive && !worker.isDraining && !hasPeerEnded
        let headers = worker.headers(for: response, id, keepAlive: keepAlive, minorVersion: head.minorVersion)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encode(
                status: response.status, headers: headers, body: body, omitsBody: head.method == .head,
                into: &bytes)
        }
        endExchange(keepAlive: keepAlive)
    }

    private func endExchange(keepAlive: Bool) {
        guard stream.isOpen else { return }
        guard keepAlive else { return linger() }
        phase = .reading
        head = nil
        deadline = worker.now &+ worker.configuration.idleTimeout.milliseconds
        // The next request may be here already. Through the loop, so that a hundred of them do not nest.
        if parser.bufferedCount > 0 {
            let connection = LoopBound(self, to: worker.loop)
            worker.loop.execute {
                connection.value.stream.setPaused(false)
                connection.value.advance()
            }
        } else {
            stream.setPaused(false)
        }
    }

    /// Answers what is not to be routed, and ends the connection: after it there is no telling where a request begins.
    private func refuse(_ fault: ServerFault) {
        let id = worker.makeRequestID()
        let response = worker.service.refuse(fault, id)
        guard case .bytes(let body) = response.body else { return close() }
        let headers = worker.headers(for: response, id, keepAlive: false, minorVersion: 1)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encode(
                status: response.status, headers: headers, body: body, omitsBody: head?.method == .head,
                into: &bytes)
        }
        linger()
    }

    /// There are too many connections.
    func refuseConnection() { refuse(.tooManyConnections) }

    private func linger() {
        guard stream.isOpen else { return close() }
        if hasPeerEnded && stream.pendingBytes == 0 { return close() }
        phase = .lingering
        parser = RequestParser(limits: worker.configuration.limits)
        deadline = worker.now &+ Self.lingerMilliseconds
        stream.setPaused(false)
        if stream.pendingBytes == 0 { stream.finishWriting() }
    }

    // Streaming.

    private func startStreaming(
        _ exchange: Exchange, _ response: HTTPResponse,
        _ body: @escaping @Sendable (ResponseStream) async -> Void
    ) {
        let head = exchange.request.head
        if hasPeerEnded { return close() }
        let isChunked = head.minorVersion == 1
        let headers = worker.headers(
            for: response, exchange.request.id, keepAlive: isChunked && head.keepAlive,
            minorVersion: head.minorVersion)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encodeHead(
                status: response.status, headers: headers, framing: isChunked ? .chunked : .untilClose,
                into: &bytes)
        }
        phase = .streaming(exchange)
        deadline = worker.now &+ worker.configuration.streamKeepAliveInterval.milliseconds
        if head.method == .head { return streamingEnded() }
        let writer = ResponseStream(connection: LoopBound(self, to: worker.loop), loop: worker.loop)
        let connection = writer.connection
        exchange.task = Task(executorPreference: worker.loop) {
            await body(writer)
            connection.value.streamingEnded()
        }
    }

    /// Says whether there is still somebody to write to.
    func writeStreamed(_ data: [UInt8]) -> Bool {
        guard case .streaming(let exchange) = phase, stream.isOpen else { return false }
        deadline = worker.now &+ worker.configuration.streamKeepAliveInterval.milliseconds
        if exchange.request.head.minorVersion == 1 {
            worker.write(to: stream) { Chunk.encode(data, into: &$0) }
        } else {
            stream.write(data)
        }
        return true
    }

    func whenDrained(_ continuation: CheckedContinuation<Bool, Never>) {
        guard case .streaming = phase, stream.isOpen else { return continuation.resume(returning: false) }
        if stream.pendingBytes < Self.streamHighWater { return continuation.resume(returning: true) }
        resumeWriter(isOpen: true)
        drainWaiter = continuation
    }

    private func resumeWriter(isOpen: Bool) {
        drainWaiter?.resume(returning: isOpen)
        drainWaiter = nil
    }

    private func streamingEnded() {
        guard case .streaming(let exchange) = phase else { return }
        observe(exchange, 200)
        let head = exchange.request.head
        guard head.minorVersion == 1 else { return linger() }
        if head.method != .head { stream.write(Chunk.last) }
        endExchange(keepAlive: head.keepAlive && !worker.isDraining && !hasPeerEnded)
    }

    // Leaving.

    private func leave(for upgrade: Upgrade, request: HTTPRequest) {
        let remainder = parser.takeRemainder()
        phase = .closed
        worker.remove(self)
        let handOver = WebSocketHandOver(upgrade: upgrade, request: request, remainder: remainder)
        guard let raw = stream.detach() else { return stream.close() }
        worker.hand(OwnedDescriptor(adopting: raw), handOver)
    }

    func sweep(at now: UInt32) {
        guard Int32(bitPattern: now &- deadline) >= 0 else { return }
        switch phase {
        case .reading:
            if parser.isIdle && head == nil { close() } else { refuse(.timedOut) }
        case .responding(let exchange):
            exchange.task?.cancel()  // The handler hears of it, and answers that it could not.
        case .streaming:
            if stream.pendingBytes > 0 { return close() }
            _ = writeStreamed(worker.configuration.streamKeepAlive)
        case .lingering, .closed:
            close()
        }
    }

    func drain() {
        switch phase {
        case .reading: if parser.isIdle { close() }
        case .streaming(let exchange): exchange.task?.cancel()
        case .responding, .lingering, .closed: break
        }
    }

    private func close() {
        switch phase {
        case .closed: return
        case .responding(let exchange), .streaming(let exchange): exchange.task?.cancel()
        case .reading, .lingering: break
        }
        phase = .closed
        resumeWriter(isOpen: false)
        stream.close()
        worker.remove(self)
    }

    private var remoteHost: String {
        if let hasRemoteHost { return hasRemoteHost }
        let host = stream.peer?.host ?? "unknown"
        hasRemoteHost = host
        return host
    }
}
