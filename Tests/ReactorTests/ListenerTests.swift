import CLinux
import Glibc
import Reactor
import SocketTesting
import TestKit
import Testing

@Suite("Listening and connecting", .timeLimit(.minutes(5)))
struct ListenerTests {
    @Test("a port is had once, also by us")
    func taken() throws {
        let first = try Listener(binding: Loopback.address)
        #expect(first.address.port != 0)
        let error = #expect(throws: SystemError.self) { try Listener(binding: first.address) }
        #expect(error?.code == EADDRINUSE)
    }

    @Test(
        "what several loops accept from is closed when the last of them stops",
        arguments: EventLoop.Mechanism.here)
    func stops(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 2, name: "tested", mechanism)
        defer { group.shutdown() }
        let accepted = Signal<Void>()
        let acceptors = try await Self.acceptors(group.loops, accepted)
        let address = acceptors.address
        let peer = try await Peer(to: address)
        await accepted.value()
        await group.loops[0].submit { acceptors.shares[0].value.stop() }
        _ = try await Peer(to: address)
        await group.loops[1].submit { acceptors.shares[1].value.stop() }
        // On a ring the kernel closes the socket after it has cancelled the request.
        try await eventually { (try? await Peer(to: address)) == nil }
        await peer.close()
    }

    @Test(
        "an accepted connection whose peer acknowledges nothing for 75 seconds ends",
        arguments: EventLoop.Mechanism.here)
    func userTimeout(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let found = Signal<CUnsignedInt>()
        let listener = try Listener(binding: Loopback.address)
        let acceptor = try await loop.submit {
            LoopBound(
                try Acceptor(listener, on: loop) { descriptor in
                    var milliseconds: CUnsignedInt = 0
                    var size = socklen_t(MemoryLayout<CUnsignedInt>.size)
                    getsockopt(
                        descriptor.raw, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, &size)
                    found.send(milliseconds)
                }, to: loop)
        }
        let peer = try await Peer(to: listener.address)
        #expect(await found.value() == 75_000)
        await loop.submit { acceptor.value.stop() }
        await peer.close()
    }

    @Test(
        "a loop opens no connection before the one that it has accepted is counted",
        arguments: EventLoop.Mechanism.here)
    func oneByOne(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let listener = try Listener(binding: try #require(SocketAddress(numeric: "127.0.0.78", port: 0)))
        var peers: [Peer] = []
        for _ in 0..<20 { peers.append(try await Peer(to: listener.address)) }
        // Each of them is closed by its handler, so that one is open at a time.
        let mostOpen = Lock((count: 0, open: 0))
        let address = listener.address
        let acceptor = try await loop.submit {
            LoopBound(
                try Acceptor(listener, on: loop) { descriptor in
                    let open = Self.accepted(at: address, near: descriptor.raw)
                    mostOpen.withLock { $0 = ($0.count + 1, max($0.open, open)) }
                }, to: loop)
        }
        try await eventually(equals: 20) { mostOpen.withLock { $0.count } }
        #expect(mostOpen.withLock { $0.open } == 1)
        await loop.submit { acceptor.value.stop() }
        for peer in peers { await peer.close() }
    }

    /// Returns the number of connections of this process that a listener at the address has accepted.
    private static func accepted(at address: SocketAddress, near descriptor: CInt) -> Int {
        (0..<descriptor + 1_024).count { raw in
            SocketAddress.peer(of: raw) != nil
                && SocketAddress.local(of: raw)?.description == address.description
        }
    }

    private static func acceptors(
        _ loops: [EventLoop], _ accepted: Signal<Void>
    ) async throws -> (address: SocketAddress, shares: [LoopBound<Acceptor>]) {
        // This address is not shared: a port that is free again on the usual one is soon another test's.
        let listener = try Listener(binding: try #require(SocketAddress(numeric: "127.0.0.77", port: 0)))
        var shares: [LoopBound<Acceptor>] = []
        for loop in loops {
            shares.append(
                try await loop.submit {
                    LoopBound(try Acceptor(listener, on: loop) { _ in accepted.send() }, to: loop)
                })
        }
        return (listener.address, shares)
    }

    @Test(
        "a connection that is not accepted is refused, and one that is given up says so",
        arguments: EventLoop.Mechanism.here)
    func connecting(mechanism: EventLoop.Mechanism) async throws {
        let group = try EventLoopGroup(count: 1, name: "tested", mechanism)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let port = try ReservedPort()
        let refused = Signal<Int32?>()
        let cancelled = Signal<Int32?>()
        await loop.submit {
            Connector(port.address, on: loop, timeout: .seconds(10)) { refused.send(Self.code($0)) }
            // The address is reserved for documentation (RFC 5737): no host answers, if anything is even
            // sent.
            guard let nowhere = SocketAddress(numeric: "192.0.2.1", port: 9) else { return }
            Connector(nowhere, on: loop, timeout: .seconds(10)) { cancelled.send(Self.code($0)) }.cancel()
        }
        #expect(await refused.value() == ECONNREFUSED)
        #expect(await cancelled.value() != nil)
    }

    private static func code(_ result: Result<Reactor.Stream, SystemError>) -> Int32? {
        switch result {
        case .success: nil
        case .failure(let error): error.code
        }
    }

    @Test(
        "numeric addresses are read and written",
        arguments: [("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80"), ("2001:DB8::1", "[2001:db8::1]:80")])
    func addresses(host: String, text: String) throws {
        let address = try #require(SocketAddress(numeric: host, port: 80))
        #expect(address.description == text)
        #expect(address.port == 80)
    }

    @Test(
        "what is no numeric address is none",
        arguments: ["", "localhost", "1.2.3", "1.2.3.256", "::1%lo", "[::1]"])
    func badAddresses(host: String) { #expect(SocketAddress(numeric: host, port: 80) == nil) }

    @Test("a name is resolved, and one that is not there says why")
    func resolving() async throws {
        let loop = TestLoops.nextPeer()
        let found = try await Resolver.resolve("localhost", port: 81, on: loop)
        #expect(found.contains { $0.host == "127.0.0.1" || $0.host == "::1" })
        #expect(found.allSatisfy { $0.port == 81 })
        await #expect(throws: Resolver.Failure.self) {
            try await Resolver.resolve("no such host", port: 81, on: loop)
        }
    }

    @Test("a look-up takes descriptors of the budget until its thread ends, and fails without them")
    func counted() async throws {
        let loop = TestLoops.nextPeer()
        let budget = DescriptorBudget.opened(for: 2, reserved: [.names: 2], on: loop)
        // There is room for one look-up, which callers that ask for the same name share.
        try await concurrently(0..<20) { _ in
            _ = try await Resolver.resolve("localhost", port: 82, on: loop, descriptors: budget)
        }
        try await eventually(equals: 0) { budget.held[.names] }
        #expect(budget.take(2, for: .names))
        await #expect(throws: Resolver.Failure.outOfDescriptors) {
            try await Resolver.resolve("localhost", port: 82, on: loop, descriptors: budget)
        }
        #expect(try await Resolver.resolve("::1", port: 82, on: loop, descriptors: budget).count == 1)
    }

    @Test("a caller that comes after the time-out of another does not join its look-up")
    func hanging() async throws {
        let loop = TestLoops.nextPeer()
        let begun = Lock<[Resolver.Finish]>([])
        let lookUp: @Sendable (Duration) async throws -> [SocketAddress] = { timeout in
            try await Resolver.share(
                "hanging.example.org:83", on: loop, timeout: timeout, descriptors: DescriptorBudget()
            ) { finish in
                begun.withLock { $0.append(finish) }
            }
        }
        await #expect(throws: Resolver.Failure.timedOut) { try await lookUp(.milliseconds(1)) }
        async let later = lookUp(.seconds(60))
        try await eventually(equals: 2) { begun.withLock { $0.count } }
        let finishes = begun.withLock { $0 }
        // The end of the look-up that hung does not end the one that came after it.
        finishes[0](.failure(.notFound("late")))
        finishes[1](.success([try #require(SocketAddress(numeric: "127.0.0.1", port: 83))]))
        let found = try await later
        #expect(found.map(\.host) == ["127.0.0.1"])
    }
}
