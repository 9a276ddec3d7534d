import Reactor

/// A balancer for a few servers on loopback: each connection goes to the next server that accepts it, and its
/// bytes pass unread in both directions.
///
/// It stops when it is deinitialized.
final class Balancer: Sendable {
    let port: UInt16
    private let group: EventLoopGroup
    private let desk: LoopBound<Desk>

    init(to ports: [UInt16]) async throws {
        let targets = try ports.map { port throws(BenchError) in try Loopback.address(port: port) }
        let listener = try Listener(binding: try Loopback.address(port: 0))
        port = listener.address.port
        group = try EventLoopGroup(count: 1, name: "balancer")
        let loop = group.loops[0]
        desk = try await loop.submit { () throws(SystemError) in
            LoopBound(try Desk(listener, targets, on: loop), to: loop)
        }
    }

    deinit { group.shutdown() }

    /// The part of the balancer on its loop.
    private final class Desk {
        private static let timeout = Duration.seconds(1)

        private let loop: EventLoop
        private let targets: [SocketAddress]
        private var next = 0
        private var acceptor: Acceptor?

        init(_ listener: Listener, _ targets: [SocketAddress], on loop: EventLoop) throws(SystemError) {
            self.loop = loop
            self.targets = targets
            acceptor = try Acceptor(listener, on: loop) { [weak self] descriptor in
                guard let self, let client = try? Stream(adopting: descriptor, on: loop) else { return }
                client.setPaused(true)
                connect(client, triesLeft: targets.count)
            }
        }

        private func connect(_ client: Stream, triesLeft: Int) {
            if triesLeft == 0 { return client.close() }
            next = (next + 1) % targets.count
            Connector(targets[next], on: loop, timeout: Self.timeout) { [weak self] result in
                switch result {
                case .success(let server): BalancedEnd.join(client, server)
                case .failure: self?.connect(client, triesLeft: triesLeft - 1)
                }
            }
        }
    }
}

/// One of the two ends of a balanced connection. Each stream keeps its own end, which keeps the other stream.
private final class BalancedEnd: StreamDelegate {
    private let own: Stream
    private let other: Stream

    private init(_ own: Stream, _ other: Stream) {
        self.own = own
        self.other = other
    }

    static func join(_ client: Stream, _ server: Stream) {
        client.delegate = BalancedEnd(client, server)
        server.delegate = BalancedEnd(server, client)
        client.setPaused(false)
    }

    func received(_ bytes: inout MutableRawSpan) {
        other.write(bytes.bytes)
        if other.pendingBytes > 0 { own.setPaused(true) }
    }

    func ended() {
        other.finishWriting()
        if other.hasEnded { close() }
    }

    func failed(_ error: SystemError) { close() }

    func drained() { other.setPaused(false) }

    private func close() {
        own.close()
        other.close()
    }
}
