import API
import Contract
import Crypto
import Glibc

/// The identity of the host that a process sees: the machine since its start, and the network in it.
///
/// Containers of one machine have networks of their own, in which the same address is another server's.
enum HostID {
    private static let network = "/proc/self/ns/net"

    /// Returns the identity; nil if the system does not say.
    static func current() -> Identifier? {
        guard let boot = try? BootID.current() else { return nil }
        var name = [UInt8](repeating: 0, count: 256)
        let count = name.withUnsafeMutableBytes { bytes in
            bytes.baseAddress.map { readlink(network, $0, bytes.count) } ?? 0
        }
        guard count > 0 else { return nil }
        let digest = Digest.sha256(Array("\(boot) ".utf8) + name.prefix(count))
        return Identifier(value: digest.prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
    }
}
