import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit
import Testing

/// A server that passes the sockets at `/relay` on to another one.
struct RelayFixture {
    /// The events of a relay that tests wait for.
    struct Events: Sendable {
        /// The answer of the other server is there.
        let linked = Signal<Void>()
        /// Whether `relay` took the link.
        let relayed = Signal<Bool>()
        /// The bytes that count in the memory budget right after `relay`.
        let held = Signal<Int>()
    }

    let front: Fixture
    let events = Events()

    /// Returns a server that relays to the address, once `release` was sent. With `spoilsLink` the link has
    /// ended by then.
    init(
        to address: SocketAddress, target: String = "/socket/this", after release: Signal<Void>? = nil,
        timeless: Bool = false, spoilsLink: Bool = false, _ tuning: SocketTuning = SocketTuning(),
        descriptors: DescriptorBudget.Share? = nil
    ) async throws {
        let events = events
        let configuration = HTTPServerConfiguration.patient
        let memory = configuration.memory
        let routes: (inout Router, [EventLoop]) -> Void = { router, loops in
            router.immediate(.get, "/relay/{loop}") { request in
                let loop = loops[(request.parameters.first.flatMap { Int($0) } ?? 0) % loops.count]
                return HTTPResponse(
                    upgrade: Upgrade(
                        to: loop,
                        headers: ["Upgrade": "websocket", "Connection": "Upgrade", "X-From": "front"]
                    ) { connection in
                        let connection = LoopBound(connection, to: loop)
                        return Task(executorPreference: loop) {
                            await Self.relay(
                                connection, on: loop, to: address, target, after: release, spoilsLink,
                                events, tuning, descriptors, memory)
                        }
                    })
            }
        }
        front =
            timeless
            ? try await Fixture.timeless(configuration, routes) : try await Fixture(configuration, routes)
    }

    /// A reader may stand still for long on a busy machine.
    private static let patience = PeerWatch(
        idleSeconds: 60, probeSeconds: 60, probes: 4, userTimeout: .seconds(300))

    private static func relay(
        _ connection: LoopBound<WebSocketConnection>, on loop: EventLoop, to address: SocketAddress,
        _ target: String, after release: Signal<Void>?, _ spoilsLink: Bool, _ events: Events,
        _ tuning: SocketTuning, _ descriptors: DescriptorBudget.Share?, _ memory: MemoryBudget
    ) async {
        let request = PeerRequest(
            method: .get, target: target, host: "back",
            headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        let answer = try? await PeerLink.send(
            request, to: address, on: loop, timeout: .seconds(60), watch: patience,
            descriptor: descriptors?.lease())
        events.linked.send()
        await release?.value()
        guard let link = answer?.link else { return connection.value.refuse(HTTPResponse(status: 502)) }
        if spoilsLink { link.close() }
        let isRelayed = connection.value.relay(to: link, tuning)
        events.held.send(memory.held)
        if !isRelayed { connection.value.refuse(HTTPResponse(status: 503)) }
        events.relayed.send(isRelayed)
    }

    static func upgrade(loop: Int = 0) -> [UInt8] {
        Array(request("GET /relay/\(loop)", "Connection: Upgrade", "Upgrade: websocket").utf8)
    }

    func isEmpty() async -> Bool {
        let isEmpty = await front.server.waitUntilEmpty(timeout: .seconds(60))
        return isEmpty && front.server.relayCount == 0
    }
}

/// A relay whose client and whose other server are both the test's, byte by byte.
struct RelayedPair {
    static let answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nX-From: back\r\n\r\n"

    let fixture: RelayFixture
    let client: Peer
    let server: Peer

    /// Opens the relay; each side has read its head then.
    init(timeless: Bool = false, _ tuning: SocketTuning = SocketTuning()) async throws {
        let listener = try Listener(binding: Loopback.address)
        fixture = try await RelayFixture(to: listener.address, timeless: timeless, tuning)
        client = try await fixture.front.connect()
        await client.send(RelayFixture.upgrade(loop: 1))
        server = try await Peer(accepting: listener)
        try await server.take(until: "\r\n\r\n")
        await server.send(Self.answer)
        try await client.take(until: "\r\n\r\n")
    }

    /// Returns the number of the sender's unsent bytes, once it has stayed the same in many turns.
    func settle(_ sender: Peer) async -> Int {
        var (last, same) = (await sender.pendingBytes, 0)
        while same < 40 {
            await fixture.front.catchUp()
            let pending = await sender.pendingBytes
            same = pending == last ? same + 1 : 0
            last = pending
        }
        return last
    }

    /// Bytes in which every place can be told from its neighbours.
    static func bytes(_ count: Int) -> [UInt8] {
        let block = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + block.count)
        while bytes.count < count { bytes.append(contentsOf: block) }
        return Array(bytes.prefix(count))
    }
}
