import Reactor
import TestKit

/// Ports for servers that are started again at the same one. The kernel gives none of them to anybody in
/// between, and no port is given twice: a fleet takes all its ports before its servers listen at them.
enum FreePort {
    /// The ports below those that the kernel takes for outgoing connections.
    private static let range = UInt16(10_000)...UInt16(32_000)
    private static let next = Lock(UInt16.random(in: range))

    static func take() throws -> UInt16 {
        for _ in 0..<100 {
            let port = next.withLock { next in
                next = next < range.upperBound ? next + 1 : range.lowerBound
                return next
            }
            guard let address = SocketAddress(numeric: "127.0.0.1", port: port) else { continue }
            if (try? Listener(binding: address)) != nil { return port }
        }
        throw TestError("no port is free")
    }
}
