import HTTP1
import Reactor

/// The client for which a request is counted.
extension HTTPConnection {
    /// The remote end of the connection.
    struct Peer {
        /// The address; nil for a Unix socket.
        let address: IPAddress?
        let isTrusted: Bool
    }

    /// The remote end of the connection as a client, for bytes that are no request. It may be a proxy.
    var remoteEnd: ClientAddress {
        ClientAddress(knownPeer?.address ?? stream.peer.flatMap { IPAddress($0) })
    }

    func client(of head: RequestHead) -> ClientAddress {
        let peer = knownPeer ?? findPeer(head)
        guard peer.isTrusted else { return ClientAddress(peer.address) }
        return ClientAddress.read(
            forwarded: head.headers.all("forwarded"), forwardedFor: head.headers.all("x-forwarded-for"),
            behind: peer.address, trusted: worker.configuration.trustedProxies)
    }

    private func findPeer(_ head: RequestHead) -> Peer {
        let address = stream.peer.flatMap { IPAddress($0) }
        let isTrusted = address.map { address in
            worker.configuration.trustedProxies.contains { $0.contains(address) }
        }
        let peer = Peer(address: address, isTrusted: isTrusted ?? (stream.peer?.path != nil))
        knownPeer = peer
        let headers = head.headers
        if !peer.isTrusted, headers.contains("forwarded") || headers.contains("x-forwarded-for") {
            worker.limitReached(.untrustedProxy, address?.description ?? "a Unix socket")
        }
        return peer
    }
}
