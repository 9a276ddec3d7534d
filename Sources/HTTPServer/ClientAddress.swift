package import Reactor

/// The client for which requests are counted, by address.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    private let key: AddressKey?
    /// Whether a trusted proxy sent the request without a usable address of the client. All such requests of
    /// a proxy are counted together, and apart from the proxy's own.
    private let isUnclear: Bool

    /// Creates the client of an address; nil for a Unix socket.
    package init(_ address: IPAddress?) {
        key = address.map { AddressKey($0) }
        isUnclear = false
    }

    private init(unclearBehind proxy: IPAddress?) {
        key = proxy.map { AddressKey($0) }
        isUnclear = true
    }

    /// Returns the client of a request that a trusted proxy has sent, by `Forwarded` (RFC 7239) and
    /// `X-Forwarded-For`. Both are read from the right, where each proxy adds the address of its peer; the
    /// first address that is not trusted is the client. The client can forge any address left of that.
    /// `proxy` is nil behind a Unix socket.
    static func read(
        forwarded: [String], forwardedFor: [String], behind proxy: IPAddress?, trusted: [IPNetwork]
    ) -> ClientAddress {
        if forwarded.isEmpty && forwardedFor.isEmpty { return ClientAddress(proxy) }
        var clients: Set<IPAddress?> = []
        if !forwarded.isEmpty {
            clients.insert(first(ForwardedHeader.hops(ofForwarded: forwarded), proxy, trusted))
        }
        if !forwardedFor.isEmpty {
            clients.insert(first(ForwardedHeader.hops(ofForwardedFor: forwardedFor), proxy, trusted))
        }
        // Most proxies write one of the two and pass the other on, which a client may have forged: if they do
        // not agree, neither is trusted.
        if clients.count == 1, case .some(.some(let client)) = clients.first {
            return ClientAddress(client)
        }
        return ClientAddress(unclearBehind: proxy)
    }

    package var description: String {
        let text = key?.description ?? "a Unix socket"
        return isUnclear ? "not clear, behind \(text)" : text
    }

    /// Returns the first address from the right that is not trusted, or the outermost proxy if all are
    /// trusted; nil if the address is missing.
    private static func first(
        _ hops: [IPAddress?], _ proxy: IPAddress?, _ trusted: [IPNetwork]
    ) -> IPAddress? {
        var last = proxy
        for hop in hops.reversed() {
            guard let hop else { return nil }
            if !trusted.contains(where: { $0.contains(hop) }) { return hop }
            last = hop
        }
        return last
    }
}
