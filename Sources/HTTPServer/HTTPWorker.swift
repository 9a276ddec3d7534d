import Codecs
import HTTP1
import Reactor
import Synchronization
import WebSocket

/// The part of a server on one loop: its connections and their shared state. Loop only.
final class HTTPWorker {
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    var service: HTTPService
    let pingFrame: [UInt8]
    let timeouts: Timeouts
    /// The limiter of each client's requests, which all loops share; nil if there is no limit.
    let limiter: RateLimiter<ClientAddress>?
    private let shared: HTTPServer.Shared
    /// The index of this worker's loop among those of the server.
    private let index: Int
    /// The monotonic clock, in milliseconds.
    let readClock: @Sendable () -> UInt64
    private let origin: UInt64
    private var clock = (turn: UInt64.max, milliseconds: UInt32(0))
    private var acceptor: Acceptor?
    private var connections: [Listed] = []
    private var scratch: [UInt8] = []
    private var date = (turn: UInt64.max, second: 0)
    private var common = EncodedFields()
    private var requestIDs = SplitMix64(seed: .random(in: .min ... .max))
    private(set) var isDraining = false
    /// Whether time-outs are checked: always, but for a worker that drains and has no connections.
    private(set) var isChecking = false
    /// The times from pings to their pongs.
    var roundTrips = SocketTraffic.noRoundTrips

    private struct Listed {
        let connection: any TimeoutChecked
        var nextCheck: UInt32
    }

    init(loop: EventLoop, _ index: Int, shared: HTTPServer.Shared) {
        self.loop = loop
        self.index = index
        self.shared = shared
        configuration = shared.configuration
        readClock = shared.configuration.clock
        origin = readClock()
        service = shared.service
        limiter = shared.limiter
        timeouts = Timeouts(shared.configuration)
        var frame: [UInt8] = []
        FrameEncoder.frame(.ping, [], into: &frame)
        pingFrame = frame
    }

    func start(_ listener: Listener) throws(SystemError) {
        acceptor = try Acceptor(
            listener, on: loop,
            exhausted: { [self] error in
                // The budget of descriptors reports its own end.
                let isReported = error.isOutOfDescriptors
                limitReached(.exhausted, error.description, isReported: isReported)
            },
            accepted: { [self] descriptor in accept(descriptor) })
        // A connection that another worker has accepted may be here already.
        if !isChecking { checkTimeoutsLater() }
    }

    /// The milliseconds since the worker began, read once in a turn of the loop; it wraps after 49 days, so
    /// instants are compared by their difference.
    var now: UInt32 {
        if clock.turn != loop.turn {
            clock = (loop.turn, UInt32(truncatingIfNeeded: readClock() &- origin))
        }
        return clock.milliseconds
    }

    /// Lists a connection, which this loop's load counts already.
    func add(_ connection: any TimeoutChecked) {
        connection.timeoutIndex = Int32(truncatingIfNeeded: connections.count)
        connections.append(Listed(connection: connection, nextCheck: now))
        // The last connection before a drain may have ended, and another worker's come here afterwards.
        if !isChecking { checkTimeoutsLater() }
    }

    /// Sets the time of the next check of the connection's time-outs, if it is still listed.
    func setNextCheck(of connection: any TimeoutChecked, to time: UInt32) {
        let index = Int(connection.timeoutIndex)
        if connections.indices.contains(index) { connections[index].nextCheck = time }
    }

    func remove(_ connection: any TimeoutChecked) {
        if unlist(connection) { shared.loads.remove(from: index) }
    }

    /// Lists a relay in the place of the connection that became it.
    func replace(_ connection: WebSocketConnection, by relay: Relay) {
        let index = Int(connection.timeoutIndex)
        guard index >= 0, index < connections.count else { return }
        connection.timeoutIndex = -1
        relay.timeoutIndex = Int32(truncatingIfNeeded: index)
        connections[index] = Listed(connection: relay, nextCheck: now)
    }

    func relayBegan() { shared.relays.add(1, ordering: .relaxed) }

    func relayEnded() { shared.relays.subtract(1, ordering: .relaxed) }

    /// The traffic of this loop's connections until now.
    var traffic: SocketTraffic {
        SocketTraffic(
            bytes: loop.traffic, roundTrips: roundTrips,
            queuedBytes: connections.reduce(0) { $0 + $1.connection.pendingBytes })
    }

    private func unlist(_ connection: any TimeoutChecked) -> Bool {
        let index = Int(connection.timeoutIndex)
        guard index >= 0, index < connections.count else { return false }
        connection.timeoutIndex = -1
        let last = connections.removeLast()
        if last.connection !== connection {
            connections[index] = last
            last.connection.timeoutIndex = Int32(truncatingIfNeeded: index)
        }
        return true
    }

    /// Hands a connection over to the loop that it belongs to. If that is this loop, the stream is kept.
    func hand(_ connection: HTTPConnection, _ handOver: WebSocketHandOver) {
        guard unlist(connection) else { return }
        let stream = connection.stream
        let target = handOver.upgrade.loop
        if target === loop { return adopt(stream, handOver) }
        guard let targetIndex = shared.index(of: target) else {
            shared.loads.remove(from: index)
            return stream.close()
        }
        let (shared, index) = (shared, index)
        stream.detach { detached in
            guard let detached else {
                shared.loads.remove(from: index)
                return stream.close()
            }
            shared.loads.move(from: index, to: targetIndex)
            Self.adopt(detached, handOver, on: target, targetIndex, shared)
        }
    }

    private static func adopt(
        _ detached: Stream.Detached, _ handOver: WebSocketHandOver, on target: EventLoop, _ targetIndex: Int,
        _ shared: HTTPServer.Shared
    ) {
        var handOver = handOver
        handOver.remainder.append(contentsOf: detached.bytes)
        target.execute { [handOver] in
            let descriptor = OwnedDescriptor(adopting: detached.descriptor)
            // A socket that cannot be watched was closed by the failed initializer of the stream.
            guard let worker = shared.worker(targetIndex)?.value,
                let stream = try? Stream(adopting: descriptor, on: target)
            else { return shared.loads.remove(from: targetIndex) }
            worker.adopt(stream, handOver)
        }
    }

    private func adopt(_ stream: Stream, _ handOver: WebSocketHandOver) {
        WebSocketConnection(stream, worker: self, handOver).open()
    }

    func stopAccepting() {
        acceptor.take()?.stop()
    }

    func drain() {
        isDraining = true
        stopAccepting()
        var streams: [HTTPConnection] = []
        for listed in connections {
            if let connection = listed.connection as? HTTPConnection, connection.isEventStream {
                streams.append(connection)
            } else {
                listed.connection.drain()
            }
        }
        end(streams)
    }

    /// Ends event streams one after the other, the first at once.
    private func end(_ streams: [HTTPConnection]) {
        let paced = Duration.seconds(1) * streams.count / configuration.streamEndsPerSecond
        let span = min(paced, configuration.longestStreamDrain)
        for (index, connection) in streams.enumerated() {
            if index == 0 {
                connection.drain()
            } else {
                loop.schedule(after: span * index / streams.count) { connection.drain() }
            }
        }
    }

    /// Queues a response whose body is bytes. Another one is not written, and false is returned.
    func write(
        _ response: HTTPResponse, to stream: Stream, answering head: RequestHead?, _ id: RequestID,
        keepAlive: Bool
    ) -> Bool {
        guard case .bytes(let body) = response.body else { return false }
        let headers = headers(for: response, to: head, keepAlive: keepAlive)
        let common = commonFields(id)
        write(to: stream) { bytes in
            ResponseEncoder.encode(
                status: response.status, headers: headers, common, body: body,
                omitsBody: head?.method == .head, into: &bytes)
        }
        return true
    }

    /// Encodes into the loop's scratch buffer, and queues its bytes.
    func write(to stream: Stream, _ encode: (inout [UInt8]) -> Void) {
        withScratch { scratch in
            encode(&scratch)
            stream.write(scratch.span.bytes)
        }
    }

    /// Calls the body with an empty buffer that keeps its storage from one use to the next. Calls must not
    /// nest.
    func withScratch(_ body: (inout [UInt8]) -> Void) {
        var buffer: [UInt8] = []
        swap(&buffer, &scratch)
        buffer.removeAll(keepingCapacity: buffer.capacity <= 64 * 1024)
        body(&buffer)
        swap(&buffer, &scratch)
    }

    /// Returns the fields of a response, with `Connection` if it is needed, and with what pages of other
    /// origins are told. The head is nil if none was read.
    func headers(for response: HTTPResponse, to head: RequestHead? = nil, keepAlive: Bool) -> HTTPHeaders {
        let needsConnection = !keepAlive || head?.minorVersion != 1
        if !needsConnection && service.sharing == nil { return response.headers }
        var headers = response.headers
        if let head, let sharing = service.sharing { sharing.add(to: &headers, answering: head) }
        if !needsConnection { return headers }
        let connection = keepAlive ? "keep-alive" : "close"
        // A response with Upgrade names it in Connection too (RFC 9110 §7.8).
        headers.set("Connection", headers.first("connection").map { "\($0), \(connection)" } ?? connection)
        return headers
    }

    /// Returns the fields that every response has. They are encoded once a second; then only the id is
    /// overwritten.
    func commonFields(_ id: RequestID) -> EncodedFields {
        if date.turn != loop.turn {
            let second = WallClock.seconds()
            if date.second != second {
                common.removeAll()
                common.append("Date", HTTPDate.format(second))
                common.append("X-Request-Id", id.description)
            }
            date = (loop.turn, second)
        }
        common.overwriteLastValue { id.write(to: &$0, $1) }
        return common
    }

    /// Counts a request for the rate of its address; returns the seconds until the next one if it is refused.
    /// A request that is not counted for its address ends the lease of its connection.
    func retryAfter(
        _ head: RequestHead, from client: ClientAddress, _ lease: inout Quota<AddressKey>.Lease?
    ) -> Int? {
        if limiter == nil && lease == nil { return nil }
        if service.isUnlimited(head) {
            lease = nil
            return nil
        }
        guard let limiter, !service.isUncounted(head),
            let retryAfter = limiter.take(client, now: readClock() &* 1_000_000).retryAfter
        else { return nil }
        limitReached(.addressRate, "\(client)")
        return retryAfter
    }

    func makeRequestID() -> RequestID { RequestID(using: &requestIDs) }

    /// Counts that a limit was reached, and calls `notice` unless that was done shortly before, or it is
    /// reported otherwise.
    func limitReached(
        _ event: LimitEvent, _ detail: @autoclosure () -> String = "", isReported: Bool = false
    ) {
        if shared.ledger.add(event, detail(), now: Monotonic.nanoseconds()), !isReported {
            service.notice(event, detail())
        }
    }

    /// Gives the connection to the loop that has the fewest. The kernel tends to wake the same idle loop,
    /// which would otherwise serve all connections.
    private func accept(_ descriptor: consuming OwnedDescriptor) {
        let place = shared.loads.place(near: index)
        if place.total >= configuration.maximumConnections {
            limitReached(.full, "\(configuration.maximumConnections)")
            return refuse(descriptor, .tooManyConnections)
        }
        var lease: Quota<AddressKey>.Lease?
        // All clients of a Unix socket have the same address.
        if let quota = shared.quota, let peer = SocketAddress.peer(of: descriptor.raw), peer.path == nil {
            lease = quota.lease(AddressKey(peer))
            if lease == nil {
                limitReached(.addressFull, peer.host)
                return refuse(descriptor, .tooManyConnectionsFromAddress)
            }
        }
        guard shared.loads.add(to: place.index) else {
            limitReached(.full, "\(place.total)")
            return refuse(descriptor, .tooManyConnections)
        }
        if place.index == index { return serve(descriptor, lease) }
        let raw = descriptor.release()
        shared.loop(place.index).execute { [shared, lease] in
            let descriptor = OwnedDescriptor(adopting: raw)
            guard let worker = shared.worker(place.index)?.value else {
                return shared.loads.remove(from: place.index)
            }
            worker.serve(descriptor, lease)
        }
    }

    private func serve(_ descriptor: consuming OwnedDescriptor, _ lease: Quota<AddressKey>.Lease?) {
        do throws(SystemError) {
            let connection = try HTTPConnection(descriptor, lease, worker: self)
            if isDraining { connection.drain() }
        } catch {
            // A socket that cannot be watched was closed by the failed initializer of the stream.
            shared.loads.remove(from: index)
        }
    }

    /// Answers a connection, and closes it. A refused connection is not counted.
    private func refuse(_ descriptor: consuming OwnedDescriptor, _ fault: HTTPServerError) {
        guard shared.refusalBegins() else { return }
        guard let stream = try? Stream(adopting: descriptor, on: loop) else { return shared.refusalEnded() }
        _ = RefusedConnection(
            stream, limits: configuration.limits, patience: configuration.refusalTimeout,
            over: { [shared] in shared.refusalEnded() },
            answer: { [self] stream, head in
                let (id, head) = (makeRequestID(), head.map(configuration.routed))
                let response = service.refuse(fault, head, id.description)
                _ = write(response, to: stream, answering: head, id, keepAlive: false)
            })
    }

    private func checkTimeoutsLater() {
        isChecking = true
        let eighth = configuration.pingInterval / 8
        // The loop holds the worker strongly: a weak reference would make every retain on the path of an ale
        // slow.
        loop.schedule(after: min(max(eighth, .milliseconds(50)), .milliseconds(250))) { [self] in
            isChecking = !isDraining || !connections.isEmpty
            if !isChecking { return }
            let now = now
            // The order is from the end, since a removed connection is replaced by the last one.
            for index in connections.indices.reversed() where index < connections.count {
                if Int32(bitPattern: now &- connections[index].nextCheck) >= 0 {
                    let connection = connections[index].connection
                    setNextCheck(of: connection, to: connection.checkTimeouts(at: now))
                }
            }
            checkTimeoutsLater()
        }
    }
}
