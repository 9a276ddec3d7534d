/// A request to a third party's server.
package struct OutboundRequest: Sendable {
    enum Method { case get, post }

    let method: Method
    /// The absolute URL, `http` or `https`, checked by the caller.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The host and port to connect to, and the only addresses that they may stand for; nil to connect to the
    /// host of the URL, which is an address.
    package var pin: Pin?
    /// The timeout of the whole exchange, up to the last byte received.
    package var timeout = Duration.seconds(15)
    package var connectTimeout = Duration.seconds(5)
    /// Whether the request is of no use any more. A request that has waited for the first answer on its
    /// connection is then given up, with `cancelled`.
    package var isStale: @Sendable () -> Bool = { false }

    /// An HTTP proxy.
    package struct Proxy: Sendable {
        /// The URL without credentials.
        let url: String
        let credentials: (user: String, password: String)?

        package init(url: String, credentials: (user: String, password: String)?) {
            self.url = url
            self.credentials = credentials
        }
    }

    package struct Pin: Sendable {
        package let host: String
        package let port: UInt16
        /// The numeric addresses; none if the host is one.
        package let addresses: [String]
        /// The proxy, whose host and port these are; nil if they are those of the URL.
        package var proxy: Proxy?

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
