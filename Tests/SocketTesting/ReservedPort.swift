import CLinux
import Glibc
package import Reactor

/// A free port of the loopback address that is reserved for this test, and at which nothing listens.
///
/// A program that sets SO_REUSEPORT, as HAProxy and nginx can, may listen at it. A port that is merely looked
/// up and let go may be another test's a moment later.
package final class ReservedPort: Sendable {
    package let address: SocketAddress
    package var number: UInt16 { address.port }
    private let descriptor: OwnedDescriptor

    package init() throws(SystemError) {
        let any = Loopback.address
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let raw = try system("socket") { socket(any.family, kind, 0) }
        descriptor = OwnedDescriptor(adopting: raw)
        // Without SO_REUSEADDR, so that no socket that has no SO_REUSEPORT can be bound to the port too.
        var one: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        try system("setsockopt") { setsockopt(raw, SOL_SOCKET, SO_REUSEPORT, &one, size) }
        try system("bind") { any.withSockaddr { bind(raw, $0, $1) } }
        guard let address = SocketAddress.local(of: raw) else {
            throw .failed(call: "getsockname", errno: EINVAL)
        }
        self.address = address
    }
}
