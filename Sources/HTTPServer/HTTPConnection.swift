import Codecs
import HTTP1
import Reactor
import Tracing

/// One HTTP connection, from accept to close or upgrade. Loop only.
///
/// Requests are answered one after the other, in order; pipelined requests wait in the parser, and the socket
/// is not read meanwhile.
final class HTTPConnection: StreamDelegate, TimeoutChecked {
    enum Phase {
        /// The connection reads a request, or waits for one.
        case reading
        /// A handler works on the response.
        case responding(Exchange)
        /// A task writes the body.
        case streaming(Exchange)
        /// The connection waits until all queued bytes are written, and begins nothing else.
        case flushing(Next)
        /// The last response is being written; then the socket is closed for writing, and further input is
        /// discarded, so that a reset does not cut off the response.
        case closing
        case closed
    }

    /// The step that follows when all bytes are written.
    enum Next {
        case request
        case upgrade(Upgrade, HTTPRequest)
    }

    private static let closingMilliseconds: UInt32 = 2_000
    /// The number of pending bytes up to which further responses, or parts of one, are written.
    static let highWater = 64 * 1024

    var timeoutIndex: Int32 = -1
    let worker: HTTPWorker
    let stream: Stream
    var pendingBytes: Int { stream.pendingBytes }
    var parser: RequestParser
    var phase = Phase.reading
    /// The request that is being read, once its head has come.
    var incoming: IncomingRequest?
    var deadline: UInt32
    var hasPeerEnded = false
    /// Whether no head has been received yet.
    private var isNew = true
    private var lease: Quota<AddressKey>.Lease?
    /// Whether the loop will read the bytes in the parser; until then the socket is not read.
    private var willAdvance = false
    /// The peer, known from the first request on.
    var knownPeer: Peer?
    var drainWaiter: CheckedContinuation<Bool, Never>?
    var memory = HeldMemory()

    /// Creates a connection with its lease in the quota of its address, if there is such a quota.
    init(
        _ descriptor: consuming OwnedDescriptor, _ lease: Quota<AddressKey>.Lease?, worker: HTTPWorker
    ) throws(SystemError) {
        self.worker = worker
        self.lease = lease
        parser = RequestParser(limits: worker.configuration.limits)
        deadline = worker.now &+ worker.timeouts.header
        stream = try Stream(adopting: descriptor, on: worker.loop)
        stream.delegate = self
        worker.add(self)
    }

    // Events of the stream.

    func received(_ bytes: inout MutableRawSpan) {
        switch phase {
        case .reading:
            // The time limit of a new connection runs since the accept.
            let begins = parser.isIdle && !isNew
            parser.receive(bytes.bytes)
            if begins { deadline = worker.now &+ worker.timeouts.header }
            advance()
        case .responding, .streaming, .flushing:
            // One read's worth of pipelined requests waits in the parser; the rest waits in the kernel.
            parser.receive(bytes.bytes)
            stream.setPaused(true)
        case .closing, .closed:
            break
        }
        countMemory()
    }

    func ended() {
        hasPeerEnded = true
        switch phase {
        case .reading:
            // The rest of the request will not come, but the client may still read the reason.
            if incoming != nil { refuse(.unreadable(.truncated)) } else { leaveIdle() }
        case .closing: if stream.pendingBytes == 0 { close() }
        // A client may close its half and still read the response.
        case .responding, .flushing: break
        case .streaming(let exchange): if !exchange.isDocument { close() }
        case .closed: break
        }
    }

    func failed(_ error: SystemError) { close() }

    func drained() {
        switch phase {
        case .closing: finalBytesLeft()
        case .streaming: resumeWriter(isOpen: true)
        case .flushing(.request): awaitRequest()
        case .flushing(.upgrade(let upgrade, let request)): leave(for: upgrade, request: request)
        case .reading, .responding, .closed: break
        }
    }

    // Reading.

    private func advance() {
        do throws(HTTPError) {
            while case .reading = phase, !willAdvance, let event = try parser.next() {
                switch event {
                case .head(let head):
                    isNew = false
                    deadline = worker.now &+ worker.timeouts.body
                    try begin(worker.configuration.routed(head))
                case .body(let bytes): incoming?.append(bytes)
                case .end: dispatch()
                }
            }
        } catch {
            refuse(.unreadable(error))
        }
    }

    /// Decides how a request is answered, before any of its body is kept. It counts for the rate of its
    /// address from here on.
    private func begin(_ head: RequestHead) throws(HTTPError) {
        let client = client(of: head)
        var (decision, bodyLimit) = worker.service.decide(head)
        if let retryAfter = worker.retryAfter(head, from: client, &lease) {
            decision = .refuse(
                .tooManyRequests(retryAfter: retryAfter), worker.service.router.route(of: head))
            bodyLimit = nil
        }
        incoming = IncomingRequest(head, from: client, decision)
        if let bodyLimit { parser.bodyLimit = bodyLimit }
        if case .length(let length) = head.framing, length > parser.bodyLimit {
            throw .bodyTooLarge(limit: parser.bodyLimit)
        }
        // Expect: 100-continue (RFC 9110 §10.1.1) is answered if nothing of the body has come yet.
        guard head.expectsContinue && parser.bufferedCount == 0 else { return }
        // The body of a request that will be refused is not asked for; it may come all the same, so the
        // connection ends.
        if case .refuse(let fault, _) = decision { return refuse(fault) }
        stream.write(ResponseEncoder.continueResponse)
    }

    private func dispatch() {
        guard let request = incoming else { return }
        let (head, client, id) = (request.head, request.client, worker.makeRequestID())
        switch request.decision {
        case .answerOptions:
            let response = HTTPResponse(status: 204)
            answered(response, to: head, nil, client, id)
            answer(response, to: head, id)
        case .handle(let handler, let route, let parameters, let query):
            // The body belongs to the request from here on.
            incoming = nil
            let request = HTTPRequest(
                head: head, matched: route, parameters: parameters, query: query, body: request.body,
                client: client, isProxied: knownPeer?.isTrusted ?? false, id: id,
                span: span(of: head, route, id), loop: worker.loop)
            guard let span = request.span else { return run(handler, request) }
            Span.$current.withValue(span) { run(handler, request) }
        case .refuse(let fault, let route):
            refuse(fault, head, id, client, route)
        }
    }

    /// Answers a request that no handler gets; the connection stays open.
    private func refuse(
        _ fault: HTTPServerError, _ head: RequestHead, _ id: RequestID, _ client: ClientAddress,
        _ route: Router.Route?
    ) {
        let response = worker.service.refuse(fault, head, id.description)
        answered(response, to: head, route, client, id)
        answer(response, to: head, id)
    }

    private func run(_ handler: Router.Handler, _ request: HTTPRequest) {
        switch handler {
        case .immediate(let body): finish(request, with: body(request), since: nil)
        case .task(let body): start(body, request)
        case .taskWithin(let timeout, let body): start(body, request, within: timeout.milliseconds)
        case .immediateElseTask(let immediate, let body):
            if let response = immediate(request) {
                finish(request, with: response, since: nil)
            } else {
                start(body, request)
            }
        }
    }

    private func start(
        _ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse, _ request: HTTPRequest,
        within timeout: UInt32? = nil
    ) {
        let exchange = Exchange(request, since: Monotonic.nanoseconds())
        phase = .responding(exchange)
        deadline = worker.now &+ (timeout ?? worker.timeouts.handler)
        let connection = LoopBound(self, to: worker.loop)
        exchange.task = Task(executorPreference: worker.loop) {
            let response = await body(request)
            connection.value.handlerReturned(response)
        }
    }

    private func handlerReturned(_ response: HTTPResponse) {
        // In another phase the client went away meanwhile.
        guard case .responding(let exchange) = phase else { return }
        finish(exchange.request, with: response, since: exchange.started)
    }

    // Answering.

    /// Sends a response. `since` is when the request was complete, in monotonic nanoseconds; nil for a
    /// request that is answered at once, in microseconds that are not worth reading the clock.
    private func finish(_ request: HTTPRequest, with response: HTTPResponse, since started: UInt64?) {
        switch response.body {
        case .bytes:
            answer(response, to: request.head, request.requestID)
            answered(
                request, response.status, since: started, bytes: response.byteCount(for: request.head),
                account: response.account)
        case .stream(let body):
            startStreaming(Exchange(request, since: started, isStreamed: true), response, body)
        case .document(let body):
            startStreaming(
                Exchange(request, since: started, isDocument: true, isStreamed: true), response, body)
        case .upgrade(let upgrade):
            leave(for: upgrade, request: request)
        }
    }

    private func answer(_ response: HTTPResponse, to head: RequestHead, _ id: RequestID) {
        let keepAlive = keepsAlive(after: head)
        guard worker.write(response, to: stream, answering: head, id, keepAlive: keepAlive) else { return }
        endExchange(keepAlive: keepAlive)
    }

    func endExchange(keepAlive: Bool) {
        guard stream.isOpen else { return }
        guard keepAlive else { return closeGracefully() }
        if stream.pendingBytes > Self.highWater { flush(then: .request) } else { awaitRequest() }
    }

    /// Whether the connection stays open after this request. Requests that have arrived from a client that
    /// has closed its half are still answered.
    func keepsAlive(after head: RequestHead) -> Bool {
        head.keepAlive && !worker.isDraining && (!hasPeerEnded || parser.bufferedCount > 0)
    }

    private func flush(then next: Next) {
        phase = .flushing(next)
        deadline = worker.now &+ worker.timeouts.write
        stream.setPaused(true)
    }

    /// Waits for the next request, which may be in the parser already. It is read in a later turn of the
    /// loop, so that many requests do not nest, and the socket is paused meanwhile, so that they do not
    /// accumulate.
    private func awaitRequest() {
        phase = .reading
        incoming = nil
        countMemory()
        guard parser.bufferedCount > 0 else {
            if hasPeerEnded || worker.isDraining { return leaveIdle() }
            deadline = worker.now &+ worker.timeouts.idle
            return stream.setPaused(false)
        }
        deadline = worker.now &+ worker.timeouts.header
        stream.setPaused(true)
        willAdvance = true
        let connection = LoopBound(self, to: worker.loop)
        worker.loop.execute { connection.value.advanceNow() }
    }

    private func advanceNow() {
        willAdvance = false
        advance()
        countMemory()
        guard case .reading = phase, !willAdvance else { return }
        if hasPeerEnded { leaveIdle() } else { stream.setPaused(false) }
    }

    /// Answers a request that cannot be routed, and ends the connection, since the start of the next request
    /// is unknown.
    func refuse(_ fault: HTTPServerError) {
        let (id, head) = (worker.makeRequestID(), incoming?.head ?? exchange?.request.head)
        let response = worker.service.refuse(fault, head, id.description)
        let route = head.flatMap { worker.service.router.route(of: $0) }
        let client = incoming?.client ?? exchange?.request.client ?? remoteEnd
        answered(response, to: head, route, client, id)
        guard worker.write(response, to: stream, answering: head, id, keepAlive: false) else {
            return close()
        }
        closeGracefully()
    }

    func closeGracefully() {
        guard stream.isOpen else { return close() }
        phase = .closing
        incoming = nil
        parser = RequestParser(limits: worker.configuration.limits)
        deadline = worker.now &+ worker.timeouts.write
        stream.setPaused(false)
        countMemory()
        if stream.pendingBytes == 0 { finalBytesLeft() }
    }

    /// Closes the socket for writing, after the last response was written.
    private func finalBytesLeft() {
        if hasPeerEnded { return close() }
        deadline = worker.now &+ Self.closingMilliseconds
        stream.finishWriting()
    }

    // Leaving.

    private func leave(for upgrade: Upgrade, request: HTTPRequest) {
        // The responses to earlier pipelined requests go first.
        if stream.pendingBytes > 0 { return flush(then: .upgrade(upgrade, request)) }
        let remainder = parser.takeRemainder()
        phase = .closed
        let handOver = WebSocketHandOver(
            upgrade: upgrade, request: request, lease: lease, remainder: remainder)
        lease = nil
        memory.release()
        worker.hand(self, handOver)
    }

    func checkTimeouts(at now: UInt32) -> UInt32 {
        // Bytes are queued for a stream without a call of this connection.
        if case .streaming = phase { countMemory() }
        guard Int32(bitPattern: now &- deadline) >= 0 else { return now }
        switch phase {
        case .reading:
            if isNew || incoming != nil || !parser.isIdle {
                worker.limitReached(incoming == nil ? .headTimeout : .bodyTimeout)
            }
            if parser.isIdle && incoming == nil { close() } else { refuse(.timedOut) }
        case .responding(let exchange):  // The handler is cancelled, and answers with an error.
            if exchange.cancel() { worker.limitReached(.handlerTimeout, exchange.request.route) }
        case .streaming(let exchange):
            if stream.pendingBytes > 0 { close() } else { keepAlive(exchange) }
        case .flushing, .closing, .closed: close()
        }
        return now
    }

    func drain() {
        switch phase {
        case .reading: if parser.isIdle { leaveIdle() }
        case .streaming(let exchange) where !exchange.isDocument:
            exchange.task?.cancel()
            resumeWriter(isOpen: false)
        case .streaming, .responding, .flushing, .closing, .closed: break
        }
    }

    func close() {
        switch phase {
        case .closed: return
        case .responding(let exchange): if exchange.cancel() { worker.limitReached(.hungUp) }
        case .streaming(let exchange):
            exchange.task?.cancel()
            answered(exchange)
        case .reading, .flushing, .closing: break
        }
        phase = .closed
        resumeWriter(isOpen: false)
        stream.close()
        lease = nil
        incoming = nil
        memory.release()
        worker.remove(self)
    }
}
