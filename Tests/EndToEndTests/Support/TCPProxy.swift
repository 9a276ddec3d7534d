import Reactor
import SocketTesting

/// A TCP proxy on loopback, which passes each connection on to the next of its targets, and can be cut,
/// slowed down and shut.
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

    /// Starts a proxy at any free port, or at that one. More targets than one are taken in turn; without any,
    /// connections are closed. `target` chooses one itself, by the port of the client; it runs on the proxy's
    /// own thread.
    init(
        to targets: [UInt16] = [], at port: UInt16 = 0,
        choosing target: (@Sendable (UInt16) -> UInt16?)? = nil
    ) async throws {
        let listener = try Listener(
            binding: SocketAddress(numeric: "127.0.0.1", port: port) ?? Loopback.address)
        self.port = listener.address.port
        group = try EventLoopGroup(count: 1, name: "proxy")
        let loop = group.loops[0]
        door = try await loop.submit { () throws(SystemError) in
            LoopBound(try Door(listener, to: targets, choosing: target, on: loop), to: loop)
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

    /// Resets the connections of this moment.
    func reset() async {
        await group.loops[0].submit { [door] in door.value.reset() }
    }

    /// Passes on whatever comes from now on so much later, in its order.
    func delay(by delay: Duration) async {
        await group.loops[0].submit { [door] in door.value.delay = delay }
    }

    /// Drops what comes in these directions, and keeps the connections: no network that is in order does
    /// that.
    func swallow(_ directions: Directions) async {
        await group.loops[0].submit { [door] in door.value.swallowed = directions }
    }

    /// Has new connections refused, as where nothing listens, or accepts them again.
    func shut(_ isShut: Bool) async {
        await group.loops[0].submit { [door] in isShut ? door.value.shut() : door.value.open() }
    }

    /// The part of the proxy on its loop.
    fileprivate final class Door {
        private let loop: EventLoop
        private let address: SocketAddress
        private let choice: ((UInt16) -> UInt16?)?
        private var targets: [SocketAddress] = []
        private var next = 0
        private var isCut = false
        private var isShut = false
        private var directions = Directions.both
        private var links: [ObjectIdentifier: ProxyLink] = [:]
        private var acceptor: Acceptor?
        var delay = Duration.zero
        var swallowed: Directions = []

        init(
            _ listener: Listener, to ports: [UInt16], choosing choice: ((UInt16) -> UInt16?)?,
            on loop: EventLoop
        ) throws(SystemError) {
            self.loop = loop
            self.choice = choice
            address = listener.address
            redirect(to: ports)
            try accept(from: listener)
        }

        private func accept(from listener: Listener) throws(SystemError) {
            acceptor = try Acceptor(listener, on: loop) { [weak self] descriptor in
                guard let self, !isCut, let client = try? Stream(adopting: descriptor, on: loop) else {
                    return
                }
                connect(client)
            }
        }

        func redirect(to ports: [UInt16]) { targets = ports.compactMap(Self.address) }

        private static func address(_ port: UInt16) -> SocketAddress? {
            SocketAddress(numeric: "127.0.0.1", port: port)
        }

        private func target(of client: Stream) -> SocketAddress? {
            if let choice { return client.peer.flatMap { choice($0.port) }.flatMap(Self.address) }
            if targets.isEmpty { return nil }
            next = (next + 1) % targets.count
            return targets[next]
        }

        private func connect(_ client: Stream) {
            guard let target = target(of: client) else { return client.close() }
            client.setPaused(true)
            Connector(target, on: loop, timeout: .seconds(10)) { [weak self] result in
                guard let self, !isCut, case .success(let server) = result else {
                    if case .success(let server) = result { server.close() }
                    return client.close()
                }
                let link = ProxyLink(client, server, of: self)
                links[ObjectIdentifier(link)] = link
                link.pass(directions)
            }
        }

        func pass(_ directions: Directions) {
            self.directions = directions
            for link in links.values { link.pass(directions) }
        }

        func forget(_ link: ProxyLink) { links[ObjectIdentifier(link)] = nil }

        func reset() {
            for link in links.values { link.close() }
        }

        func cut() {
            isCut = true
            reset()
        }

        func heal() {
            isCut = false
            pass(.both)
        }

        func shut() {
            isShut = true
            acceptor?.stop()
            acceptor = nil
        }

        /// Listens again, as soon as the port is free.
        func open() {
            isShut = false
            listen()
        }

        private func listen() {
            guard acceptor == nil, !isShut else { return }
            do throws(SystemError) {
                try accept(from: try Listener(binding: address))
            } catch {
                loop.schedule(after: .milliseconds(20)) { [weak self] in self?.listen() }
            }
        }
    }
}

/// One connection through a proxy, as its two streams. Loop only.
private final class ProxyLink {
    /// One stream, as the one that passes its bytes on to the other.
    private final class End: StreamDelegate {
        let stream: Stream
        let direction: TCPProxy.Directions
        weak var link: ProxyLink?
        weak var other: End?
        /// The bytes that are passed on later; nil stands for the end. Each has a timer.
        private var delayed: [[UInt8]?] = []

        init(_ stream: Stream, _ direction: TCPProxy.Directions) {
            self.stream = stream
            self.direction = direction
            stream.delegate = self
        }

        func received(_ bytes: inout MutableRawSpan) {
            guard let link, let other, !link.swallows(direction) else { return }
            if isLate(link) {
                // Sound: the buffer does not leave the closure.
                return passLater(bytes.bytes.withUnsafeBytes { Array($0) }, link)
            }
            other.stream.write(bytes.bytes)
            if other.stream.pendingBytes > 0 { stream.setPaused(true) }
        }

        func ended() {
            guard let link, isLate(link) else { return other?.stream.finishWriting() ?? () }
            passLater(nil, link)
        }

        func failed(_ error: SystemError) { link?.close() }
        func drained() { link?.resume() }

        private func isLate(_ link: ProxyLink) -> Bool { !delayed.isEmpty || link.delay > .zero }

        private func passLater(_ bytes: [UInt8]?, _ link: ProxyLink) {
            delayed.append(bytes)
            // Each timer passes on the first that waits, so that none overtakes another.
            stream.loop.schedule(after: link.delay) { [weak self] in
                guard let self, !delayed.isEmpty else { return }
                if let bytes = delayed.removeFirst() {
                    other?.stream.write(bytes)
                } else {
                    other?.stream.finishWriting()
                }
            }
        }
    }

    private let client: End
    private let server: End
    private var directions = TCPProxy.Directions.both
    private weak var door: TCPProxy.Door?

    init(_ client: Stream, _ server: Stream, of door: TCPProxy.Door) {
        self.client = End(client, .toTarget)
        self.server = End(server, .toClient)
        self.door = door
        for (end, other) in [(self.client, self.server), (self.server, self.client)] {
            end.link = self
            end.other = other
        }
    }

    var delay: Duration { door?.delay ?? .zero }

    func swallows(_ direction: TCPProxy.Directions) -> Bool {
        door?.swallowed.contains(direction) ?? false
    }

    func pass(_ directions: TCPProxy.Directions) {
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
        door?.forget(self)
    }
}
