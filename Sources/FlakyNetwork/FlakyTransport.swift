public import Client
import Contract
import Reactor

/// A faulty network between a client and a server, with which an app can test itself.
///
/// It listens on loopback and passes everything on to the real server, over the real protocol, except where
/// its faults interfere: point the client to `server`. In HTTP it changes bytes; in a WebSocket connection it
/// knows the frames, so that messages are lost, doubled and overtaken whole.
///
///     let network = try await FlakyTransport(to: real, faults: faults, seed: 7)
///     let api = try APIClient(server: network.server, token: token)
///
/// Decisions come from the seed, one sequence for each connection and direction: the same messages on the
/// same connections meet the same faults while `setFaults` is not called. A `socketUrl` from the server leads
/// past the transport: use the room's id. The transport stops when it is deinitialized.
///
/// The transport stays outside of TLS, as any middlebox does: client and server agree with each other, and
/// each record counts as a message. TLS notices a record that is missing, doubled, overtaken or damaged and
/// ends the connection, so that the same promises hold as after a reset.
public final class FlakyTransport: Sendable {
    /// The server to use instead of the real one. With TLS it has the same URL, since the certificate is for
    /// that; only this value knows the way through the transport.
    public let server: Server
    /// The seed of all decisions, for a test to print.
    public let seed: UInt64
    private let group: EventLoopGroup
    private let relay: LoopBound<FlakyRelay>

    /// Starts a transport. Throws `network` if the name is not known or no port can be listened on.
    public init(to server: Server, faults: Faults = .none, seed: UInt64) async throws(ClientError) {
        self.seed = seed
        let group: EventLoopGroup
        do throws(SystemError) {
            group = try EventLoopGroup(count: 1, name: "flaky")
        } catch {
            throw .network("The network cannot be used: \(error).")
        }
        do throws(ClientError) {
            let loop = group.loops[0]
            let target = try await Self.address(of: server, on: loop)
            let (relay, port) = try await Self.listen(
                to: target, isSecure: server.isSecure, faults, seed, on: loop)
            self.server =
                server.isSecure
                ? server.reached(through: port)
                : try Server("http://127.0.0.1:\(port)\(server.basePath)")
            self.relay = relay
            self.group = group
        } catch {
            group.shutdown()
            throw error
        }
    }

    deinit { group.shutdown() }

    /// The counters of the transport so far.
    public var counters: FlakyCounters {
        get async { await group.loops[0].submit { [relay] in relay.value.tally.counters } }
    }

    /// Applies other faults from now on, also to existing connections.
    public func setFaults(_ faults: Faults) async {
        await group.loops[0].submit { [relay] in relay.value.change(to: faults) }
    }

    /// Passes new connections on to that server, such as one that was started again at another port. Throws
    /// `badAddress` if one of the two speaks TLS and the other does not.
    public func redirect(to server: Server) async throws(ClientError) {
        guard server.isSecure == self.server.isSecure else {
            throw .badAddress("A connection with TLS cannot go on to a server without, nor the reverse.")
        }
        let target = try await Self.address(of: server, on: group.loops[0])
        await group.loops[0].submit { [relay] in relay.value.redirect(to: target) }
    }

    /// Resets every connection.
    public func breakAll() async {
        await group.loops[0].submit { [relay] in relay.value.breakAll() }
    }

    /// Makes every connection half-open: it stays, and nothing arrives any more.
    public func silenceAll() async {
        await group.loops[0].submit { [relay] in relay.value.silenceAll() }
    }

    /// Resets every connection, and refuses new ones.
    public func stop() async {
        await group.loops[0].submit { [relay] in relay.value.stop() }
    }

    private static func address(of server: Server, on loop: EventLoop) async throws(ClientError)
        -> SocketAddress
    {
        do throws(Resolver.Failure) {
            if let first = try await Resolver.resolve(server.host, port: server.port, on: loop).first {
                return first
            }
        } catch {
            throw .network("\(server.host) cannot be found: \(error).")
        }
        throw .network("\(server.host) has no address.")
    }

    private static func listen(
        to target: SocketAddress, isSecure: Bool, _ faults: Faults, _ seed: UInt64, on loop: EventLoop
    ) async throws(ClientError) -> (LoopBound<FlakyRelay>, UInt16) {
        guard let loopback = SocketAddress(numeric: "127.0.0.1", port: 0) else {
            preconditionFailure("loopback is a numeric address")
        }
        do throws(SystemError) {
            let listener = try Listener(binding: loopback)
            let relay = try await loop.submit { () throws(SystemError) in
                LoopBound(
                    try FlakyRelay(
                        listener, to: target, isSecure: isSecure, faults, seed: seed, on: loop),
                    to: loop)
            }
            return (relay, listener.address.port)
        } catch {
            throw .network("Nothing can be listened on: \(error).")
        }
    }
}
