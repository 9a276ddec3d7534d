import COpenSSL
import Reactor
package import TLS

/// A TLS server on loopback whose output a test writes. It stops when it is deallocated.
package final class TLSEndpoint: Sendable {
    package let port: UInt16
    private let group: EventLoopGroup

    /// Starts the server. `hear` is called for each event of a connection, on the loop.
    package init(
        _ identity: Identity, maximumVersion: CInt = 0, speaksHTTP2: Bool = false,
        _ hear: @escaping @Sendable (TLSTalk, TLSStream.Event) -> Void
    ) async throws {
        let context = try TLSContext(
            chain: identity.chain, key: identity.key, maximumVersion: maximumVersion)
        if speaksHTTP2 { SSL_CTX_set_alpn_select_cb(context.raw, Self.chooseHTTP2, nil) }
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

    /// The callback by which the server chooses HTTP/2 if the client offers it.
    private static let chooseHTTP2:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> CInt = { _, chosen, length, offered, count, _ in
            let list = UnsafeBufferPointer(start: offered, count: Int(count))
            guard let range = Array(list).firstRange(of: [2] + Array("h2".utf8)), let offered else {
                return SSL_TLSEXT_ERR_NOACK
            }
            chosen?.pointee = offered + range.lowerBound + 1
            length?.pointee = 2
            return SSL_TLSEXT_ERR_OK
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
