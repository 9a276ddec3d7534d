package import HTTP1
package import Reactor

/// The limits of a server, and what happens at each.
package struct HTTPServerConfiguration: Sendable {
    /// Sizes of a request: 413, 414 or 431 beyond them.
    package var limits = HTTPLimits.requests
    /// From the first byte of a head to its last, however it drips: 408, then closed. On a new connection it
    /// counts from the accept, so that a client that waits first has no more time; without a byte it is
    /// closed in silence.
    package var headerTimeout = Duration.seconds(10)
    /// From the end of the head to the end of the body: 408, then closed. It is for the whole, and asks for
    /// no rate: bodies are small enough (`HTTPLimits.body`) that a slow line has time, and one that drips has
    /// not.
    package var bodyTimeout = Duration.seconds(30)
    /// Between two requests: closed.
    package var idleTimeout = Duration.seconds(75)
    /// For a handler; its task is cancelled then, and it answers for itself.
    package var handlerTimeout = Duration.milliseconds(2400)
    /// How long a client may take to read an answer: closed.
    package var writeTimeout = Duration.seconds(30)
    /// Connections in all, WebSockets included: 503 beyond them.
    package var maximumConnections = 100_000
    /// Connections from one address (`AddressKey`), WebSockets included: 429 beyond them. 0 is no limit. It
    /// is the address that connects, whatever proxies say: that is known only with a request.
    package var maximumConnectionsPerAddress = 0
    /// Connections at once that are being told that there is no room; those beyond are closed without a word.
    package var maximumRefusals = 64
    /// How long such a connection may take to close, once it was told.
    package var refusalTimeout = Duration.seconds(2)
    /// Requests a second from one address (`ClientAddress`), with a burst of twice as many: 429 beyond them.
    /// 0 is no limit.
    package var requestsPerSecond = 0
    /// Proxies whose word on where a request comes from is believed.
    package var trustedProxies: [IPNetwork] = []
    /// Between two pings of a WebSocket. Silent for two and a half of them, it is closed with `silenceClose`.
    package var pingInterval = Duration.seconds(20)
    /// A message of a WebSocket client: 1009 beyond it.
    package var maximumMessageBytes = 4096
    /// Bytes that may wait for the reader of a WebSocket: `slowConsumerClose` beyond them.
    package var maximumPendingBytes = 256 * 1024
    /// A stream of events that was silent for that long gets `keepAlive`.
    package var streamKeepAliveInterval = Duration.seconds(15)
    package var streamKeepAlive: [UInt8] = []
    /// The close frame of a WebSocket that was silent for too long.
    package var silenceClose = SocketClose(code: 1008, reason: "no answer to a ping")
    /// The close frame of a WebSocket whose client reads too slowly.
    package var slowConsumerClose = SocketClose(code: 1008, reason: "slow consumer")

    /// What the time-outs of connections are counted by: milliseconds of a clock that nobody sets. It is read
    /// once in a turn of a loop.
    package var clock: @Sendable () -> UInt64 = Monotonic.coarseMilliseconds

    package init() {}
}

/// The code and the reason of a close frame (RFC 6455 §7.4).
package struct SocketClose: Sendable {
    /// 1000…4999.
    package var code: UInt16
    /// At most 123 bytes.
    package var reason: String

    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}
