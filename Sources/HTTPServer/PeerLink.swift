import HTTP1
package import Reactor

/// One request to another server, on a connection of its own, and the answer to it. Loop only.
package final class PeerLink: StreamDelegate {
    private typealias Waiter = CheckedContinuation<Result<PeerResponse, PeerLinkError>, Never>

    /// The way of a cancellation, from any thread, to the request.
    private enum Progress {
        case unstarted
        case started(LoopBound<PeerLink>)
        case cancelled
    }

    /// The limits of an answer: a head of 16 KiB, and the body that the request permits.
    private static func limits(_ request: PeerRequest) -> HTTPLimits {
        HTTPLimits(startLine: 1024, headerBytes: 15 * 1024, body: request.maximumAnswer)
    }
    /// The times after which a server that is gone is noticed, also behind an idle link. A server that is
    /// there and reads nothing for so long is given up too, but only once the buffers of the kernel are full:
    /// what a client may send to a room takes minutes for that.
    package static let watch = PeerWatch(
        idleSeconds: 1, probeSeconds: 1, probes: 4, userTimeout: .seconds(5))

    private let loop: EventLoop
    /// The task that waits for the answer; nil once it has it.
    private var waiter: Waiter?
    private var timer: EventLoop.Timer?
    private var connector: Connector?
    private var stream: Stream?
    /// The descriptor of the connection in the budget; nil if it is not counted.
    private var descriptor: DescriptorBudget.Lease?
    private var parser: ResponseParser
    private var head: ResponseHead?
    private var body: [UInt8] = []

    private init(
        _ loop: EventLoop, answering request: PeerRequest, _ descriptor: DescriptorBudget.Lease?,
        _ waiter: Waiter
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.waiter = waiter
        parser = ResponseParser(responseTo: request.method, limits: Self.limits(request))
    }

    /// Sends a request on a new connection, and returns the answer. Everything happens on the loop; the
    /// timeout is for all of it. The connection is closed then, but for a 101, and also when the task is
    /// cancelled. `descriptor` is given back after the connection is closed.
    package static func send(
        _ request: PeerRequest, to address: SocketAddress, on loop: EventLoop, timeout: Duration,
        watch: PeerWatch = watch, descriptor: DescriptorBudget.Lease? = nil
    ) async throws(PeerLinkError) -> PeerResponse {
        let progress = Lock(Progress.unstarted)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                loop.execute {
                    let link = LoopBound(
                        PeerLink(loop, answering: request, descriptor, waiter), to: loop)
                    let mayStart = progress.withLock { progress in
                        if case .cancelled = progress { return false }
                        progress = .started(link)
                        return true
                    }
                    guard mayStart else { return link.value.finish(.failure(.cancelled)) }
                    link.value.start(request, address, timeout, watch)
                }
            }
        } onCancel: {
            let link: LoopBound<PeerLink>? = progress.withLock { progress in
                defer { progress = .cancelled }
                if case .started(let link) = progress { return link }
                return nil
            }
            if let link { loop.execute { link.value.finish(.failure(.cancelled)) } }
        }
        return try result.get()
    }

    private func start(
        _ request: PeerRequest, _ address: SocketAddress, _ timeout: Duration, _ watch: PeerWatch
    ) {
        timer = loop.schedule(after: timeout) { [self] in finish(.failure(.timedOut)) }
        let connector = Connector(address, on: loop, timeout: timeout, watch: watch) { [self] result in
            connected(result, request)
        }
        // A connection may fail, or be there, at once.
        if waiter != nil && stream == nil { self.connector = connector }
    }

    private func connected(_ result: Result<Stream, SystemError>, _ request: PeerRequest) {
        connector = nil
        switch result {
        case .failure(let error):
            finish(.failure(PeerLinkError(connecting: error)))
        case .success(let stream):
            guard waiter != nil else { return stream.close() }
            self.stream = stream
            stream.delegate = self
            stream.write(Self.encode(request))
        }
    }

    private static func encode(_ request: PeerRequest) -> [UInt8] {
        var headers: HTTPHeaders = ["Host": request.host]
        for field in request.headers.fields { headers.append(field.name, field.value) }
        if !headers.contains("connection") { headers.append("Connection", "close") }
        var bytes: [UInt8] = []
        let hasBody = !request.body.isEmpty || request.method == .post
        RequestEncoder.encode(
            method: request.method, target: request.target, headers: headers,
            body: hasBody ? request.body : nil, into: &bytes)
        return bytes
    }

    // Events of the stream.

    package func received(_ bytes: inout MutableRawSpan) {
        parser.receive(bytes.bytes)
        do throws(HTTPError) {
            while waiter != nil, let event = try parser.next() { take(event) }
        } catch {
            finish(.failure(.malformed(error)))
        }
    }

    package func ended() {
        let last: ResponseEvent?
        do throws(HTTPError) { last = try parser.receiveEnd() } catch { last = nil }
        if let last { take(last) }
        finish(.failure(.closed))
    }

    package func failed(_ error: SystemError) {
        finish(.failure(PeerLinkError(of: error) ?? .closed))
    }

    package func drained() {}

    private func take(_ event: ResponseEvent) {
        switch event {
        case .head(let head):
            self.head = head
            if head.status == 101 { switchProtocols(head) }
        case .body(let bytes):
            body.append(contentsOf: bytes)
        case .end:
            guard let head else { return }
            finish(
                .success(PeerResponse(status: head.status, headers: head.headers, body: body)))
        }
    }

    private func switchProtocols(_ head: ResponseHead) {
        guard let stream = stream.take() else { return }
        stream.delegate = nil
        stream.setPaused(true)
        let link = OpenLink(stream, early: parser.takeRemainder(), descriptor)
        finish(.success(PeerResponse(status: 101, headers: head.headers, link: link)))
    }

    /// Answers the task that waits, once, and closes the connection.
    private func finish(_ result: Result<PeerResponse, PeerLinkError>) {
        guard let waiter = waiter.take() else { return }
        if let timer = timer.take() { loop.cancel(timer) }
        connector.take()?.cancel()
        stream.take()?.close()
        descriptor = nil
        waiter.resume(returning: result)
    }
}
