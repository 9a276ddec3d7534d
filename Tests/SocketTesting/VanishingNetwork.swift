import CLinux
import Glibc

/// A network namespace in which an IPv6 address swallows all packets.
package enum VanishingNetwork {
    /// The flag CLONE_NEWNET.
    package static let newNetwork: CInt = 0x4000_0000

    /// The address that swallows packets.
    package static let hole = "2001:db8::1"

    /// The commands that make the network. One end of a cable leads nowhere: the neighbor at the other end is
    /// not there, and has an address of the link layer all the same.
    package static let commands = [
        "ip link set lo up", "ip link add hole type veth peer name gone", "ip link set hole up",
        "ip link set gone up", "ip -6 address add 2001:db8::2/64 dev hole nodad",
        "ip -6 neighbour add \(hole) lladdr 02:00:00:00:00:01 dev hole nud permanent",
    ].joined(separator: " && ")

    /// Whether such networks can be made, which needs root and `ip`.
    package static let isPossible: Bool = {
        system("unshare --net sh -c '\(commands)' > /dev/null 2>&1") == 0
    }()

    /// Makes the network in the namespace of the calling thread. It blocks.
    package static func make() -> Bool { Glibc.system(commands) == 0 }
}
