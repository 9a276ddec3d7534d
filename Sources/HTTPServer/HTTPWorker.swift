import HTTP1
import Reactor
import Synchronization
import WebSocket

/// One loop's share of a server: its connections, and what they have in common. Loop only.
final class HTTPWorker {
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    var service: HTTPService
    let pingFrame: [UInt8]
    /// Milliseconds without a byte after which a WebSocket is given up.
    let silenceMilliseconds: UInt32
    private let shared: HTTPServer.Shared
    private let origin = Monotonic.coarseMilliseconds()
    private var acceptor: Acceptor?
    private var connections: [any Swept] = []
    private var scratch: [UInt8] = []
    private var date = (second: 0, text: "")
    private var requestIDs = RequestIDs()
    private(set) var isDraining = false

    init(loop: EventLoop, shared: HTTPServer.Shared) {
        self.loop = loop
        self.shared = shared
        configuration = shared.configuration
        service = shared.service
        silenceMilliseconds = (shared.configuration.pingInterval * 2.5).milliseconds
        var frame: [UInt8] = []
        FrameEncoder.frame(.ping, [], into: &frame)
        pingFrame = frame
    }

    func start(_ listener: Listener) throws(SystemError) {
        acceptor = try Acceptor(listener, on: loop) { [self] descriptor in accept(descriptor) }
        sweepLater()
    }

    /// Milliseconds since the worker began; it wraps after 49 days, so instants are compared by their difference.
    var now: UInt32 { UInt32(truncatingIfNeeded: Monotonic.coarseMilliseconds() &- origin) }

    func add(_ connection: any Swept) {
        connection.sweepIndex = Int32(truncatingIfNeeded: connections.count)
        connections.append(connection)
        shared.connectionAdded()
    }

    func remove(_ connection: any Swept) {
        let index = Int(connection.sweepIndex)
        guard index >= 0, index < connections.count else { return }
        connection.sweepIndex = -1
        let last = connections.removeLast()
        if last !== connection {
            connections[index] = last
            last.sweepIndex = Int32(truncatingIfNeeded: index)
        }
        shared.connectionRemoved()
    }

    /// Sends a connection to the loop where it belongs. Where that is this one, its stream stays as it is.
    func hand(_ stream: Stream, _ handOver: WebSocketHandOver) {
        let target = handOver.upgrade.loop
        if target === loop { return adopt(stream, handOver) }
        guard let raw = stream.detach() else { return stream.close() }
        let shared = shared
        target.execute {
            let descriptor = OwnedDescriptor(adopting: raw)
            // A socket that cannot be watched is closed by the stream that was not made.
            guard let worker = shared.worker(of: target)?.value,
                let stream = try? Stream(adopting: descriptor, on: target)
            else { return }
            worker.adopt(stream, handOver)
        }
    }

    private func adopt(_ stream: Stream, _ handOver: WebSocketHandOver) {
        handOver.upgrade.admit(WebSocketConnection(stream, worker: self, handOver))
    }

    func drain() {
        isDraining = true
        acceptor?.stop()
        acceptor = nil
        for connection in connections { connection.drain() }
    }

    /// Seconds until the address may ask again, where it may not now.
    func limitRate(_ address: @autoclosure () -> String) -> Int? {
        shared.limiter?.take(address(), now: Monotonic.nanoseconds())
    }

    /// Encodes into the loop's scratch buffer, and queues that.
    func write(to stream: Stream, _ encode: (inout [UInt8]) -> Void) {
        withScratch { scratch in
            encode(&scratch)
            stream.write(scratch.span.bytes)
        }
    }

    /// An empty buffer that keeps its storage from one use to the next. Not nested.
    func withScratch(_ body: (inout [UInt8]) -> Void) {
        var buffer: [UInt8] = []
        swap(&buffer, &scratch)
        buffer.removeAll(keepingCapacity: buffer.capacity <= 64 * 1024)
        body(&buffer)
        swap(&buffer, &scratch)
    }

    func headers(
        for response: HTTPResponse, _ id: String, keepAlive: Bool, minorVersion: Int
    ) -> HTTPHeaders {
        let connection = keepAlive ? (minorVersion == 0 ? "keep-alive" : nil) : "close"
        return headers(for: response.headers, id, connection: connection)
    }

    func headers(for headers: HTTPHeaders, _ id: String, connection: String?) -> HTTPHeaders {
        var headers = headers
        headers.append("Date", httpDate())
        headers.append("X-Request-Id", id)
        if let connection {
            // Whoever sends Upgrade names it here too (RFC 9110 §7.8).
            headers.set(
                "Connection", headers.first("connection").map { "\($0), \(connection)" } ?? connection)
        }
        return headers
    }

    func makeRequestID() -> String { requestIDs.next() }

    private func accept(_ descriptor: consuming OwnedDescriptor) {
        let isFull = shared.connectionCount >= configuration.maximumConnections
        guard let connection = try? HTTPConnection(descriptor, worker: self) else { return }
        if isFull { connection.refuseConnection() }
    }

    private func httpDate() -> String {
        let second = WallClock.seconds()
        if second != date.second { date = (second, HTTPDate.format(second)) }
        return date.text
    }

    private func sweepLater() {
        let eighth = configuration.pingInterval / 8
        // Held by its loop, and not weakly: that would make every retain on the path of an ale a slow one.
        loop.schedule(after: min(max(eighth, .milliseconds(50)), .milliseconds(250))) { [self] in
            if isDraining && connections.isEmpty { return }
            let now = now
            // From the end, since a connection that goes is replaced by the last.
            for index in connections.indices.reversed() where index < connections.count {
                connections[index].sweep(at: now)
            }
            sweepLater()
        }
    }
}
