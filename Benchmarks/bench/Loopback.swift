import Reactor

/// The address 127.0.0.1.
enum Loopback {
    static func address(port: UInt16) throws(BenchError) -> SocketAddress {
        guard let address = SocketAddress(numeric: "127.0.0.1", port: port) else {
            throw .failed("Loopback has no address.")
        }
        return address
    }

    /// Returns a port at which no process listens.
    static func freePort() throws -> UInt16 { try Listener(binding: try address(port: 0)).address.port }
}
