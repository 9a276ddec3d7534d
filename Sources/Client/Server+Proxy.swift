package import Contract
import Glibc
import HTTP1
import Reactor

extension Server {
    /// The hosts of this machine, which are never reached through a proxy.
    private static let own = ["localhost", "127.0.0.0/8", "::1"]

    /// Returns the proxy that `HTTPS_PROXY` names for a host that is used over TLS, unless the host is this
    /// machine or `NO_PROXY` has it; nil for none. The names in lower case count too. `unusable` is the name
    /// of a variable whose text is no URL of an HTTP proxy.
    static func proxy(for host: String) -> (usable: ProxyURL?, unusable: String?) {
        guard let (name, text) = variable("HTTPS_PROXY") else { return (nil, nil) }
        var exceptions = HostList()
        for part in own { _ = exceptions.add(part) }
        for part in variable("NO_PROXY")?.text.split(whereSeparator: { ", \t".contains($0) }) ?? [] {
            // An entry of a form that other programs have is passed over.
            _ = exceptions.add(part)
        }
        if exceptions.contains(host) { return (nil, nil) }
        guard let proxy = ProxyURL(text), !proxy.isSecure else { return (nil, name) }
        return (proxy, nil)
    }

    /// Throws if the server is to be reached through a proxy that cannot be used.
    func checkProxy() throws(ClientError) {
        guard let unusableProxy else { return }
        throw .badAddress(
            "\(unusableProxy) is no URL of an HTTP proxy. Give one like http://proxy.example.org:3128, or "
                + "list \(host) in NO_PROXY.")
    }

    /// Returns a variable of the environment, by its name or by that in lower case; nil if neither is set.
    private static func variable(_ name: String) -> (name: String, text: String)? {
        for name in [name, name.lowercased()] {
            if let value = getenv(name), value.pointee != 0 { return (name, String(cString: value)) }
        }
        return nil
    }

    /// Returns the server, reached through that proxy.
    package func reached(through proxy: ProxyURL?) -> Server {
        var server = self
        (server.proxy, server.unusableProxy) = (proxy, nil)
        return server
    }
}

extension Transport {
    /// Has the proxy open a tunnel to the server (RFC 9110 §9.3.6), before the TLS handshake.
    func tunnel(through proxy: ProxyURL, to server: Server) async throws(ClientError) {
        let target = WebAddress.authority(host: server.host, port: server.port)
        var fields: HTTPHeaders = ["Host": target, "User-Agent": HTTPClient.agent]
        if let credentials = proxy.credentials { fields.append("Proxy-Authorization", credentials.field) }
        var bytes: [UInt8] = []
        RequestEncoder.encode(
            method: HTTPMethod(rawValue: "CONNECT"), target: target, headers: fields, into: &bytes)
        write(bytes)
        // Like an answer to HEAD, the answer to CONNECT has no body that would have to be read.
        var reader = ResponseReader(self, responseTo: .head)
        let status = try await reader.head().status
        guard (200..<300).contains(status) else {
            throw .network(
                "The proxy \(proxy.description) opens no tunnel to \(target): it answers \(status).")
        }
    }
}
