import Contract
import Database
import HTTP1
import HTTPServer

/// The cookie of a session (RFC 6265), for pages that come from the service's own address.
package struct SessionCookie: Sendable {
    /// The longest life that browsers give a cookie. The server ends a session that is not used long before.
    private static let maximumAge = 400 * 24 * 3600

    /// The name. A browser takes one that begins with `__Host-` over https only, and for one host alone.
    package let name: String
    private let isSecure: Bool
    /// The origin of the public URL.
    private let origin: String?

    package init(publicURL: String) {
        let url = try? WebURL(publicURL)
        origin = url?.origin
        isSecure = url?.isSecure ?? false
        name = isSecure ? "__Host-letsswitch" : "letsswitch"
    }

    /// Returns the secret in the cookie of a request; nil for a request without one.
    func secret(in request: HTTPRequest) -> SessionSecret? {
        Cookies.value(of: name, in: request.head.headers).flatMap { SessionSecret($0) }
    }

    /// The value of `Set-Cookie` that hands the secret to a browser.
    func field(_ secret: SessionSecret) -> String {
        "\(name)=\(secret.text); Max-Age=\(Self.maximumAge)\(attributes)"
    }

    /// The value of `Set-Cookie` that takes the cookie from a browser.
    var removal: String { "\(name)=; Max-Age=0\(attributes)" }

    private var attributes: String {
        "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
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

    /// Whether an address is of the origin of the public URL, or of the request's `Host`.
    private func isOwn(_ sent: WebURL, _ head: RequestHead) -> Bool {
        let hosts = head.headers.all("host")
        if sent.origin == origin { return true }
        // A page that somebody on the way has sent without encryption is none of a service that has https.
        guard !isSecure || sent.isSecure, hosts.count == 1,
            let own = try? WebURL("\(sent.isSecure ? "https" : "http")://\(hosts[0])")
        else { return false }
        return sent.origin == own.origin
    }
}
