package import Contract
import OutboundHTTP
package import Reactor

/// The proxy through which requests to receivers go.
package struct OutboundProxy: Sendable {
    let url: ProxyURL
    /// The hosts that are reached without it.
    private let exceptions: HostList
    /// Whether this machine can look up names of the Internet. If not, names that it does not find are left
    /// to the proxy; nil: they never are.
    let publicNames: PublicNames?

    package init(
        _ url: ProxyURL, except exceptions: HostList = HostList(), publicNames: PublicNames? = nil
    ) {
        self.url = url
        self.exceptions = exceptions
        self.publicNames = publicNames
    }

    /// Whether requests to the host go through the proxy.
    func serves(_ host: String) -> Bool { !exceptions.contains(host) }

    /// Returns the pin of a request that goes through the proxy at these addresses.
    func pin(at addresses: [String]) -> OutboundRequest.Pin {
        var pin = OutboundRequest.Pin(host: url.host, port: url.port, addresses: addresses)
        pin.proxy = OutboundRequest.Proxy(
            url: url.description, credentials: url.credentials.map { ($0.user, $0.password) })
        return pin
    }
}
