package import Contract
import OutboundHTTP
package import Reactor
import Settings

/// The proxy through which requests to receivers go.
package struct OutboundProxy: Sendable {
    let url: ProxyURL
    /// The hosts that are reached without it.
    private let exceptions: HostList
    /// Whether the name service of this machine answers for names of the Internet. If not, names that it does
    /// not know are left to the proxy.
    let looksUpPublicNames: Bool

    package init(_ url: ProxyURL, except exceptions: HostList = HostList(), looksUpPublicNames: Bool) {
        self.url = url
        self.exceptions = exceptions
        self.looksUpPublicNames = looksUpPublicNames
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

    /// Returns whether the name service answers for one of the push services that are known.
    package static func looksUpPublicNames(on loop: EventLoop) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for host in ServerConfiguration.knownPushServices where !host.hasPrefix("*") {
                group.addTask {
                    let found = try? await Resolver.resolve(host, port: 443, on: loop)
                    return found?.contains { AddressPolicy.isPublic($0.addressBytes) } ?? false
                }
            }
            return await group.contains(true)
        }
    }
}
