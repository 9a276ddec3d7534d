import TLS
import TLSTesting

/// A client and a server that are connected without sockets, in pieces of a chosen size.
struct Pair {
    let client: Side
    let server: Side
    private let pieceBytes: Int

    init(
        _ identity: Identity, host: String = "localhost", trusting configuration: TLSConfiguration,
        maximumVersion: Int32 = 0, pieceBytes: Int = .max
    ) throws(TLSError) {
        let context = try TLSContext(configuration)
        let serving = try TLSContext(
            chain: identity.chain, key: identity.key, maximumVersion: maximumVersion)
        client = Side(try TLSSession(connectingTo: host, context))
        server = Side(try TLSSession(accepting: serving))
        self.pieceBytes = pieceBytes
    }

    /// Carries bytes to and fro until both have no more output.
    func talk() {
        while true {
            let (toServer, toClient) = (client.takeOutput(), server.takeOutput())
            if toServer.isEmpty && toClient.isEmpty { return }
            carry(toServer, to: server)
            carry(toClient, to: client)
        }
    }

    private func carry(_ bytes: [UInt8], to side: Side) {
        var rest = bytes[...]
        while !rest.isEmpty {
            side.receive(rest.prefix(pieceBytes))
            rest = rest.dropFirst(pieceBytes)
        }
    }
}
