package import HTTP1
package import Reactor

/// The limits of a server, and its reaction to each.
package struct HTTPServerConfiguration: Sendable {
    /// The sizes of a request; 413, 414 or 431 beyond them.
    package var limits = HTTPLimits.requests
    /// The time from the first byte of a head to its last; 408 and close after it. On a new connection it
    /// counts from the accept, so that a client that waits first has no more time; without a byte it is
    /// closed without an answer.
    package var headerTimeout = Duration.seconds(10)
    /// The time from the end of the head to the end of the body; 408 and close after it. It is for the whole
    /// body, without a minimum rate: bodies are so small (`HTTPLimits.body`) that a slow line has time
    /// enough, and a client that drips bytes has not.
    package var bodyTimeout = Duration.seconds(30)
    /// The time between two requests, after which the connection is closed.
    package var idleTimeout = Duration.seconds(75)
    /// The time of a handler, whose task is cancelled then; it still has to answer.
    package var handlerTimeout = Duration.milliseconds(2400)
    /// The time that a client may take to read a response, after which the connection is closed.
    package var writeTimeout = Duration.seconds(30)
    /// The most connections in all, WebSockets included; 503 beyond them.
    package var maximumConnections = 100_000
    /// The descriptors of connections; 503 if there are none.
    package var descriptors: DescriptorBudget.Share?
    /// The descriptors of connections that are refused with an answer; without one there is no answer.
    package var refusalDescriptors: DescriptorBudget.Share?
    /// The most connections from one address (`AddressKey`), WebSockets included; 429 beyond them, 0 for no
    /// limit. It counts the connecting address, even a proxy's, since the client's is known only with a
    /// request.
    package var maximumConnectionsPerAddress = 0
    /// The most connections at once that are refused with an answer; those beyond are closed without one.
    package var maximumRefusals = 64
    /// The time that a refused connection may take to close after its answer.
    package var refusalTimeout = Duration.seconds(2)
    /// The requests per second from one address (`ClientAddress`), with a burst of twice as many; 429 beyond
    /// them, 0 for no limit.
    package var requestsPerSecond = 0
    /// The bytes that connections may hold; the servers of a process share it.
    package var memory = MemoryBudget(maximum: .max)
    /// The path below which clients reach the server, such as `/switch`; empty without one. It is removed
    /// from the path of a request before anything else reads it; a proxy may have removed it already.
    package var basePath = ""
    /// The beginnings of paths that are not found below `basePath`.
    package var innerPaths: [String] = []
    /// The permission to connect to a server at a Unix socket.
    package var socketAccess = SocketFile.Access()
    /// The proxies whose forwarding headers are trusted. A client of a Unix socket is trusted too.
    package var trustedProxies: [IPNetwork] = []
    /// The time between two pings of a WebSocket. A WebSocket that is silent for two and a half of them is
    /// closed with `silenceClose`.
    package var pingInterval = Duration.seconds(20)
    /// The most bytes of a message from a WebSocket client; 1009 beyond them.
    package var maximumMessageBytes = 4096
    /// The most bytes that may be pending on a WebSocket; `slowConsumerClose` beyond them.
    package var maximumPendingBytes = 256 * 1024
    /// The time after which a silent event stream gets `streamKeepAlive`.
    package var streamKeepAliveInterval = Duration.seconds(15)
    package var streamKeepAlive: [UInt8] = []
    /// The event streams that each loop ends in a second when the server drains, so that their clients do not
    /// reconnect all at once.
    package var streamEndsPerSecond = 250
    /// The longest time over which a draining server spreads the ends of its event streams. With many streams
    /// more of them end in a second.
    package var longestStreamDrain = Duration.seconds(5)
    /// The close frame of a WebSocket that was silent for too long.
    package var silenceClose = SocketClose(code: 1008, reason: "no answer to a ping")
    /// The close frame of a WebSocket whose client reads too slowly.
    package var slowConsumerClose = SocketClose(code: 1008, reason: "slow consumer")

    /// The monotonic clock, in milliseconds, for the time-outs of connections. It is read once in a turn of a
    /// loop.
    package var clock: @Sendable () -> UInt64 = Monotonic.coarseMilliseconds

    package init() {}

    /// Returns a head as it is routed.
    func routed(_ head: RequestHead) -> RequestHead { head.below(basePath, except: innerPaths) }
}

/// The code and the reason of a close frame (RFC 6455 §7.4).
package struct SocketClose: Sendable {
    /// The code, from 1000 to 4999.
    package var code: UInt16
    /// The reason, of at most 123 bytes.
    package var reason: String

    package init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}
