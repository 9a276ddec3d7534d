package import Reactor

package enum Loopback {
    /// The loopback address with any free port.
    package static var address: SocketAddress {
        guard let address = SocketAddress(numeric: "127.0.0.1", port: 0) else {
            preconditionFailure("loopback is a numeric address")
        }
        return address
    }
}
