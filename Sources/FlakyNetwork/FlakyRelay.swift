import Glibc
import Reactor

/// The part of a flaky transport on its loop: the listening socket, and the links. Loop only.
final class FlakyRelay {
    private static let connectTimeout = Duration.seconds(10)

    private let loop: EventLoop
    private let seed: UInt64
    /// Whether the connections use TLS.
    private let isSecure: Bool
    private var faults: Faults
    private var target: SocketAddress
    private var acceptor: Acceptor?
    private var dice: FaultDice
    /// The number of the latest connection; it selects that connection's decisions.
    private var number = 0
    private var links: [ObjectIdentifier: FlakyLink] = [:]
    let tally = FlakyTally()

    init(
        _ listener: Listener, to target: SocketAddress, isSecure: Bool, _ faults: Faults, seed: UInt64,
        on loop: EventLoop
    ) throws(SystemError) {
        self.loop = loop
        self.seed = seed
        self.isSecure = isSecure
        self.faults = faults
        self.target = target
        dice = FaultDice(seed: seed)
        acceptor = try Acceptor(listener, on: loop) { [weak self] descriptor in
            let raw = descriptor.release()
            if let self { accepted(raw) } else { _ = close(raw) }
        }
    }

    func change(to faults: Faults) {
        self.faults = faults
        for link in links.values { link.change(to: faults) }
    }

    /// Passes new connections on to that address.
    func redirect(to target: SocketAddress) { self.target = target }

    func breakAll() {
        for link in links.values { link.fault(.reset) }
    }

    func silenceAll() {
        for link in links.values { link.fault(.halfOpen) }
    }

    func stop() {
        acceptor.take()?.stop()
        for link in links.values { link.reset() }
    }

    /// Closes a socket so that the peer sees a reset.
    static func reset(_ descriptor: CInt) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        _ = close(descriptor)
    }

    private func accepted(_ descriptor: CInt) {
        number += 1
        tally.counters.connections += 1
        if dice.happens(faults.refusal) {
            tally.counters.refused += 1
            return Self.reset(descriptor)
        }
        let number = number
        Connector(target, on: loop, timeout: Self.connectTimeout) { [weak self] result in
            guard let self, acceptor != nil, case .success(let server) = result else {
                if case .success(let server) = result { server.close() }
                return Self.reset(descriptor)
            }
            link(descriptor, server, number)
        }
    }

    private func link(_ descriptor: CInt, _ server: Stream, _ number: Int) {
        guard let client = try? Stream(adopting: OwnedDescriptor(adopting: descriptor), on: loop) else {
            return server.close()
        }
        let link = FlakyLink(
            client: client, server: server, faults, seed: seed, number: number, isSecure: isSecure,
            counting: tally
        ) { [weak self] link in self?.links[ObjectIdentifier(link)] = nil }
        links[ObjectIdentifier(link)] = link
    }
}
