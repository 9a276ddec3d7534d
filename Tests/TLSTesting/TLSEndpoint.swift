import Reactor
package import TLS

/// A TLS server on loopback whose output a test writes. It stops when it is deallocated.
package final class TLSEndpoint: Sendable {
    package let port: UInt16
    private let group: EventLoopGroup

    /// Starts the server. `hear` is called for each event of a connection, on the loop.
    package init(
        _ identity: Identity, maximumVersion: CInt = 0,
        _ hear: @escaping @Sendable (TLSTalk, TLSStream.Event) -> Void
    ) async throws {
        let context = try TLSContext(
            chain: identity.chain, key: identity.key, maximumVersion: maximumVersion)
        guard let address = SocketAddress(numeric: "127.0.0.1", port: 0) else {
            preconditionFailure("loopback is a numeric address")
        }
        let listener = try Listener(binding: address)
        port = listener.address.port
        group = try EventLoopGroup(count: 1, name: "tls")
        let loop = group.loops[0]
        try await loop.submit {
            // The loop retains the acceptor.
            _ = try Acceptor(listener, on: loop) { descriptor in
                do {
                    let stream = try Stream(adopting: descriptor, on: loop)
                    let session = try TLSSession(accepting: context)
                    let talk = TLSTalk(stream)
                    talk.stream = TLSStream(stream, session) { Self.pass($0, to: talk, hear) }
                } catch {
                    preconditionFailure("the test's server accepts nothing: \(error)")
                }
            }
        }
    }

    deinit { group.shutdown() }

    private static func pass(
        _ event: TLSStream.Event, to talk: TLSTalk, _ hear: (TLSTalk, TLSStream.Event) -> Void
    ) {
        switch event {
        case .established(let peer): talk.serverName = peer.serverName
        case .received(let bytes): talk.received += bytes
        case .ended, .failed, .drained: break
        }
        hear(talk, event)
    }
}
