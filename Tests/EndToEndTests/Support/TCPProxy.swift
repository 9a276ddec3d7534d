import Reactor
import SocketTesting

/// A TCP proxy on loopback, which passes each connection on to the next of its targets, and can be cut.
///
/// It stops when it is deinitialized.
final class TCPProxy: Sendable {
    /// The directions in which bytes pass.
    struct Directions: OptionSet, Sendable {
        let rawValue: UInt8

        static let toTarget = Directions(rawValue: 1)
        static let toClient = Directions(rawValue: 2)
        static let both: Directions = [.toTarget, .toClient]
    }

    let port: UInt16
    private let group: EventLoopGroup
    private let door: LoopBound<Door>

    /// Starts a proxy. More targets than one are taken in turn; without any, connections are closed.
    init(to targets: [UInt16] = []) async throws {
        let listener = try Listener(binding: Loopback.address)
        port = listener.address.port
        group = try EventLoopGroup(count: 1, name: "proxy")
        let loop = group.loops[0]
        door = try await loop.submit { () throws(SystemError) in
            LoopBound(try Door(listener, to: targets, on: loop), to: loop)
        }
    }

    deinit { group.shutdown() }

    /// Passes new connections on to these targets.
    func redirect(to targets: [UInt16]) async {
        await group.loops[0].submit { [door] in door.value.redirect(to: targets) }
    }

    /// Lets bytes pass in these directions only; the others wait, and the connections stay open.
    func pass(_ directions: Directions) async {
        await group.loops[0].submit { [door] in door.value.pass(directions) }
    }

    /// Resets all connections, and new ones as soon as they come, until `heal`.
    func cut() async {
        await group.loops[0].submit { [door] in door.value.cut() }
    }

    /// Passes everything on again.
    func heal() async {
        await group.loops[0].submit { [door] in door.value.heal() }
    }

    /// The part of the proxy on its loop.
    private final class Door {
        private let loop: EventLoop
        private var targets: [SocketAddress] = []
        private var next = 0
        private var isCut = false
        private var directions = Directions.both
        private var links: [ObjectIdentifier: Link] = [:]
        private var acceptor: Acceptor?

        init(_ listener: Listener, to ports: [UInt16], on loop: EventLoop) throws(SystemError) {
            self.loop = loop
            redirect(to: ports)
            acceptor = try Acceptor(listener, on: loop) { [weak self] descriptor in
                guard let self, !isCut, let client = try? Stream(adopting: descriptor, on: loop) else {
                    return
                }
                connect(client)
            }
        }

        func redirect(to ports: [UInt16]) {
            targets = ports.compactMap { SocketAddress(numeric: "127.0.0.1", port: $0) }
        }

        private func connect(_ client: Stream) {
            if targets.isEmpty { return client.close() }
            client.setPaused(true)
            next = (next + 1) % targets.count
            Connector(targets[next], on: loop, timeout: .seconds(10)) { [weak self] result in
                guard let self, !isCut, case .success(let server) = result else {
                    if case .success(let server) = result { server.close() }
                    return client.close()
                }
                let link = Link(client, server) { [weak self] in self?.links[ObjectIdentifier($0)] = nil }
                links[ObjectIdentifier(link)] = link
                link.pass(directions)
            }
        }

        func pass(_ directions: Directions) {
            self.directions = directions
            for link in links.values { link.pass(directions) }
        }

        func cut() {
            isCut = true
            for link in links.values { link.close() }
        }

        func heal() {
            isCut = false
            pass(.both)
        }
    }

    /// One connection, as its two streams.
    private final class Link {
        /// One stream, as the one that passes its bytes on to the other.
        private final class End: StreamDelegate {
            let stream: Stream
            weak var link: Link?
            weak var other: End?

            init(_ stream: Stream) {
                self.stream = stream
                stream.delegate = self
            }

            func received(_ bytes: inout MutableRawSpan) {
                guard let other else { return }
                other.stream.write(bytes.bytes)
                if other.stream.pendingBytes > 0 { stream.setPaused(true) }
            }
            func ended() { other?.stream.finishWriting() }
            func failed(_ error: SystemError) { link?.close() }
            func drained() { link?.resume() }
        }

        private let client: End
        private let server: End
        private var directions = Directions.both
        private let ended: (Link) -> Void

        init(_ client: Stream, _ server: Stream, ended: @escaping (Link) -> Void) {
            self.client = End(client)
            self.server = End(server)
            self.ended = ended
            for (end, other) in [(self.client, self.server), (self.server, self.client)] {
                end.link = self
                end.other = other
            }
        }

        func pass(_ directions: Directions) {
            self.directions = directions
            resume()
        }

        func resume() {
            client.stream.setPaused(!directions.contains(.toTarget) || server.stream.pendingBytes > 0)
            server.stream.setPaused(!directions.contains(.toClient) || client.stream.pendingBytes > 0)
            if client.stream.hasEnded && server.stream.hasEnded { close() }
        }

        func close() {
            client.stream.close()
            server.stream.close()
            ended(self)
        }
    }
}
