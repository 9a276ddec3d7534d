package import Contract
import Glibc
import HTTP1
import Reactor

extension Server {
    /// Returns the proxy that `HTTPS_PROXY` names for a host that is used over TLS, unless `NO_PROXY` has the
    /// host; nil for none. The names in lower case count too.
    static func proxy(for host: String) throws(ClientError) -> ProxyURL? {
        guard let (name, text) = variable("HTTPS_PROXY") else { return nil }
        var exceptions = HostList()
        for part in variable("NO_PROXY")?.text.split(whereSeparator: { ", \t".contains($0) }) ?? [] {
            // An entry of a form that other programs have is passed over.
            _ = exceptions.add(part)
        }
        if exceptions.contains(host) { return nil }
        guard let proxy = ProxyURL(text), !proxy.isSecure else {
            throw .badAddress("\(name) is no URL of a proxy. Give one like http://proxy.example.org:3128.")
        }
        return proxy
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
        server.proxy = proxy
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
