import Contract
import Database
import Logging
import Reactor

/// The lines that an operator reads once about the servers of the cluster, and when each is probed next.
package struct ClusterNotices {
    enum Notice {
        case unreachable(String)
        case otherKey
    }

    /// The time between two probes of a server that does not answer as it should.
    private static let pause: UInt64 = 10_000_000_000
    /// The most things that are remembered.
    private static let maximum = 1024

    private var said: Set<String> = []
    private var probedAt: [Identifier: UInt64] = [:]

    /// Whether a server is to be probed now; the next time is some seconds later.
    mutating func isDue(_ incarnation: Identifier, now: UInt64 = Monotonic.nanoseconds()) -> Bool {
        if let last = probedAt[incarnation], last > now || now - last < Self.pause { return false }
        if probedAt.count >= Self.maximum { probedAt = [:] }
        probedAt[incarnation] = now
        return true
    }

    /// Notes that a server need not be probed again.
    mutating func settled(_ incarnation: Identifier) { probedAt[incarnation] = .max }

    mutating func warn(_ notice: Notice, of incarnation: Identifier, at address: String) {
        switch notice {
        case .unreachable(let reason):
            guard isNew("unreachable \(address)") else { return }
            Log.warning(
                "other servers do not reach this one: set INTERNAL_URL",
                ["INTERNAL_URL": address, "reason": reason])
        case .otherKey:
            guard isNew("key \(incarnation)") else { return }
            Log.warning(
                "another server refuses what this one signs: CLUSTER_KEY differs, or a clock is wrong",
                ["server": address])
        }
    }

    /// Looks for what an operator has to know of the other servers.
    mutating func look(at others: [ServerEntry], own: ServerDirectory.Own) {
        for other in others {
            guard other.leaseLeft != nil else {
                if isNew("previous \(other.name)") {
                    Log.warning(
                        "a server of the previous version is there: the balancer has to go on hashing id",
                        ["server": other.name])
                }
                continue
            }
            guard other.isAlive else { continue }
            if let label = own.label, label == other.label, isNew("label \(other.name)") {
                Log.warning(
                    "two servers have one SERVER_NAME", ["name": label, "other": other.address ?? other.name])
            }
            if Self.isLoopback(own.address), !Self.isLoopback(other.address), isNew("loopback") {
                Log.warning(
                    "other servers cannot reach this one, whose address is loopback: set INTERNAL_URL",
                    ["INTERNAL_URL": own.address ?? "", "other": other.address ?? other.name])
            }
        }
    }

    /// Whether an address is one of the own machine only.
    static func isLoopback(_ address: String?) -> Bool {
        guard let address, let url = try? WebURL(address) else { return false }
        return isLoopback(host: url.host)
    }

    /// Whether a host is the own machine.
    package static func isLoopback(host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    private mutating func isNew(_ text: String) -> Bool {
        said.count < Self.maximum && said.insert(text).inserted
    }
}
