import HTTP1

/// The origins whose pages may read answers (CORS, Fetch Standard §3.2), and what they may send and see.
/// Cookies are for pages of the server itself: no answer allows credentials.
package struct CrossOriginSharing: Sendable, Equatable {
    private let origins: Set<String>
    private let requestHeaders: String
    private let exposedHeaders: String
    /// The seconds for which a browser may keep the answer to a preflight.
    private static let maximumAge = "3600"

    /// Creates the rules of these origins; nil for none, so that answers stay as they are.
    package init?(origins: [String], requestHeaders: [String], exposedHeaders: [String]) {
        if origins.isEmpty { return nil }
        self.origins = Set(origins)
        self.requestHeaders = requestHeaders.joined(separator: ", ")
        self.exposedHeaders = exposedHeaders.joined(separator: ", ")
    }

    /// Adds the fields by which the page of a request may see its answer. Pages of other origins get no more
    /// than the note that answers depend on the origin.
    func add(to headers: inout HTTPHeaders, answering head: RequestHead) {
        headers.append("Vary", "Origin")
        let sent = head.headers.all("origin")
        guard sent.count == 1, origins.contains(sent[0]) else { return }
        headers.append("Access-Control-Allow-Origin", sent[0])
        guard head.method == .options, head.headers.contains("access-control-request-method") else {
            return headers.append("Access-Control-Expose-Headers", exposedHeaders)
        }
        if let methods = headers.first("allow") { headers.append("Access-Control-Allow-Methods", methods) }
        headers.append("Access-Control-Allow-Headers", requestHeaders)
        headers.append("Access-Control-Max-Age", Self.maximumAge)
    }
}
