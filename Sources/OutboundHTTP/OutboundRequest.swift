/// A request to a third party's server.
package struct OutboundRequest: Sendable {
    enum Method { case get, post }

    let method: Method
    /// The absolute URL, `http` or `https`, checked by the caller.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The host and port of the URL, and the only addresses that they may stand for; nil if the host is an
    /// address.
    package var pin: Pin?
    /// The timeout of the whole exchange, up to the last byte received.
    package var timeout = Duration.seconds(15)
    package var connectTimeout = Duration.seconds(5)
    /// Whether the request is of no use any more. A request that has waited for the first answer on its
    /// connection is then given up, with `cancelled`.
    package var isStale: @Sendable () -> Bool = { false }

    package struct Pin: Sendable {
        package let host: String
        package let port: UInt16
        /// The numeric addresses.
        package let addresses: [String]

        package init(host: String, port: UInt16, addresses: [String]) {
            self.host = host
            self.port = port
            self.addresses = addresses
        }
    }

    /// Creates a GET.
    package init(getting url: String, headers: [(name: String, value: String)]) {
        method = .get
        self.url = url
        self.headers = headers
        body = []
    }

    /// Creates a POST.
    package init(url: String, headers: [(name: String, value: String)], body: [UInt8], pin: Pin? = nil) {
        method = .post
        self.url = url
        self.headers = headers
        self.body = body
        self.pin = pin
    }
}
