import Reactor
import TestKit

/// Ports for servers that are started again at the same one. The kernel gives none of them to anybody in
/// between.
enum FreePort {
    /// The ports below those that the kernel takes for outgoing connections.
    private static let range = UInt16(10_000)...UInt16(32_000)

    static func take() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: range)
            guard let address = SocketAddress(numeric: "127.0.0.1", port: port) else { continue }
            if (try? Listener(binding: address)) != nil { return port }
        }
        throw TestError("no port is free")
    }
}
