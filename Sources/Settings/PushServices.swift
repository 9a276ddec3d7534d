package import Contract

/// The push services whose endpoints need not be verified, as `PUSH_SERVICES` lists them: hosts, and `*.`
/// with a domain for all hosts below it.
package struct PushServices: Sendable {
    private let hosts: [String]

    package init(_ hosts: [String]) { self.hosts = hosts }

    /// Returns whether the URL is one of a listed service, at the usual port of https.
    package func contain(_ url: WebURL) -> Bool {
        hosts.contains { host in
            host.hasPrefix("*.")
                ? url.origin.hasPrefix("https://") && url.origin.hasSuffix(host.dropFirst())
                : url.origin == "https://\(host)"
        }
    }

    /// As above, for the stored address of an endpoint.
    package func contain(_ address: String) -> Bool {
        (try? WebURL(address)).map { contain($0) } ?? false
    }
}
