import Contract
package import Database
package import HTTP1
package import HTTPServer

/// The cookie of a session (RFC 6265), for pages that come from the service's own address: that of a user, or
/// that of an operator.
package struct SessionCookie: Sendable {
    /// The life of the cookie in browsers, in seconds.
    private let maximumAge: Int

    /// The name over http, where browsers take no cookie that begins with `__Host-`.
    package let name: String
    /// The path of the public URL; empty without one.
    private let base: String
    /// The name over https: a browser takes a cookie of `__Host-` for one host alone, and only for the path
    /// `/`.
    private var secureName: String { (base.isEmpty ? "__Host-" : "__Secure-") + name }

    /// Whether the public URL is https.
    private let isSecure: Bool
    /// The origin of the public URL.
    private let origin: String?

    /// By default browsers keep the cookie for as long as they keep any. The server ends a session that is
    /// not used long before.
    package init(
        publicURL: String = "", name: String = "letsswitch", maximumAge: Int = 400 * 24 * 3600
    ) {
        self.name = name
        self.maximumAge = maximumAge
        let url = try? WebURL(publicURL)
        origin = url?.origin
        isSecure = url?.isSecure ?? false
        base = url?.address.path ?? ""
    }

    /// Returns the secret in the cookie of a request; nil for a request without one.
    package func secret<Use>(
        _ type: BearerSecret<Use>.Type = SessionSecret.self, in request: HTTPRequest
    ) -> BearerSecret<Use>? {
        for name in names(for: request) {
            guard let value = Cookies.value(of: name, in: request.head.headers) else { continue }
            return BearerSecret(value)
        }
        return nil
    }

    /// The value of `Set-Cookie` that hands the secret to the browser that sent a request.
    package func field<Use>(_ secret: BearerSecret<Use>, for request: HTTPRequest) -> String {
        "\(names(for: request)[0])=\(secret.text); Max-Age=\(maximumAge)\(attributes(for: request))"
    }

    /// Takes the cookie from the browser that sent a request.
    package func remove(for request: HTTPRequest, in headers: inout HTTPHeaders) {
        for name in names(for: request) {
            headers.append("Set-Cookie", "\(name)=; Max-Age=0\(attributes(for: request))")
        }
    }

    /// The names that count for a request, the one of new cookies first. Without a public URL that is https
    /// the plain one counts over https too: sessions may have begun over http.
    private func names(for request: HTTPRequest) -> [String] {
        if isSecure { return [secureName] }
        return request.isSecure ? [secureName, name] : [name]
    }

    private func attributes(for request: HTTPRequest) -> String {
        "; Path=\(base.isEmpty ? "/" : base); HttpOnly; SameSite=Strict"
            + (isSecure || request.isSecure ? "; Secure" : "")
    }

    /// Whether a browser says that a page of the service itself sent the request: by `Sec-Fetch-Site`, or by
    /// an `Origin` that is the public URL's or that of the request's `Host`. With a read within one origin,
    /// such as an event stream, older browsers send neither of them, and all send no `Sec-Fetch-Site` to a
    /// host without https; then the `Referer` counts.
    func isOwn(_ head: RequestHead) -> Bool {
        let (sites, origins) = (head.headers.all("sec-fetch-site"), head.headers.all("origin"))
        if sites == ["same-origin"] { return true }
        if sites.isEmpty, origins.isEmpty {
            let pages = head.headers.all("referer")
            return pages.count == 1 && (try? WebURL(pages[0])).map { isOwn($0, head) } ?? false
        }
        guard origins.count == 1, let sent = try? WebURL(origins[0]), sent.address.path.isEmpty else {
            return false
        }
        return isOwn(sent, head)
    }

    /// Returns the public URL if a request is from a page of the service that the browser has
    /// loaded over http and that therefore cannot keep the cookie of a session, which is `Secure`. A browser
    /// takes it from pages of hosts that it trusts without https, such as localhost; with these it sends
    /// `Sec-Fetch-Site`.
    func originToOpen(for head: RequestHead) -> String? {
        let (hosts, origins) = (head.headers.all("host"), head.headers.all("origin"))
        guard isSecure, head.headers.all("sec-fetch-site").isEmpty, origins.count == 1,
            let sent = try? WebURL(origins[0]), !sent.isSecure, let origin
        else { return nil }
        let ofHost = hosts.count == 1 ? try? WebURL("http://\(hosts[0])") : nil
        let isOwn = sent.origin == ofHost?.origin || sent.host == (try? WebURL(origin))?.host
        return isOwn ? origin + base : nil
    }

    /// Whether an address is of the origin of the public URL, or of the request's `Host`.
    private func isOwn(_ sent: WebURL, _ head: RequestHead) -> Bool {
        let hosts = head.headers.all("host")
        if sent.origin == origin { return true }
        // A page that an attacker on the way has sent without encryption is none of a service that has https.
        guard !isSecure || sent.isSecure, hosts.count == 1,
            let own = try? WebURL("\(sent.isSecure ? "https" : "http")://\(hosts[0])")
        else { return false }
        return sent.origin == own.origin
    }
}
