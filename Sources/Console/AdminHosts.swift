import API
import Contract
import HTTP1
package import HTTPServer
import Logging
import Reactor

/// The hosts for which the operators' listener answers.
///
/// A page elsewhere can point its own name at this listener (DNS rebinding): the browser then lets that page
/// read the answers. Such a request has the page's name in `Host`.
package struct AdminHosts: Sendable {
    private static let loopback = [IPNetwork("127.0.0.0/8"), IPNetwork("::1")].compactMap { $0 }
    private static let everyAddress = [IPAddress("0.0.0.0"), IPAddress("::")]

    private let addresses: Set<IPAddress>
    private let names: Set<String>
    /// Whether the listener is bound to all addresses of the machine. An address cannot be rebound.
    private let acceptsAddresses: Bool

    /// Creates the hosts of a listener that is bound to `bound`, with the names that an operator adds.
    package init(bound: String, others: [String] = []) {
        let hosts = [bound] + others
        addresses = Set(hosts.compactMap { IPAddress($0) })
        names = Set(hosts.filter { IPAddress($0) == nil }.map { $0.lowercased() } + ["localhost"])
        acceptsAddresses = Self.everyAddress.contains(IPAddress(bound))
    }

    /// Returns whether the listener answers for an authority. The port does not matter: a tunnel has its own.
    package func accept(_ authority: String?) -> Bool {
        guard let authority, let url = try? WebURL("http://\(authority)") else { return false }
        guard let address = IPAddress(url.host) else { return names.contains(url.host) }
        return acceptsAddresses || addresses.contains(address)
            || Self.loopback.contains { $0.contains(address) }
    }

    /// Makes all routes refuse requests for other hosts with 421 (RFC 9110 §15.5.20).
    package func screen(_ router: inout Router) {
        router.screen { request in
            if accept(request.head.authority) { return nil }
            Log.warning(
                "request of the operators' listener refused: its host is not in ADMIN_HOSTS",
                ["host": request.head.authority ?? "", "client": request.client])
            return Answer.problem(
                Problem(
                    .misdirected,
                    detail: "This listener does not answer for that host. Add it to ADMIN_HOSTS."),
                id: request.id, in: .english)
        }
    }
}
