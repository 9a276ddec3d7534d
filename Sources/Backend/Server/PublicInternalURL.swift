import Contract
import Logging
import OutboundHTTP
import Reactor
import Settings

/// The check that traffic between servers, which is signed and not encrypted, stays in a private network.
enum PublicInternalURL {
    /// Warns if `INTERNAL_URL` is, or resolves to, a public address, unless `INTERNAL_PUBLIC` is on.
    static func warn(_ configuration: ServerConfiguration, on loop: EventLoop) async {
        guard let address = await find(configuration, on: loop) else { return }
        Log.warning(
            "INTERNAL_URL is a public address, and traffic between servers is not encrypted: use a private "
                + "network, or set INTERNAL_PUBLIC=on",
            ["INTERNAL_URL": configuration.explicitInternalURL ?? "", "address": address])
    }

    /// Returns the first public address of `INTERNAL_URL`; nil if it has none, or if the check is off. A name
    /// that cannot be resolved has none.
    static func find(_ configuration: ServerConfiguration, on loop: EventLoop) async -> IPAddress? {
        guard configuration.internalPublic == .off, let text = configuration.explicitInternalURL,
            let url = try? WebURL(text),
            let addresses = try? await Resolver.resolve(url.host, port: url.port, on: loop)
        else { return nil }
        return addresses.lazy.filter { AddressPolicy.isPublic($0.addressBytes) }
            .compactMap { IPAddress($0) }.first
    }
}
