import Contract
import HTTPServer
import Reactor
import Settings

extension HTTPServerConfiguration {
    /// Creates the configuration from the operator's settings, as far as the limits of the process allow.
    /// `holder` is the listener's in the budget of descriptors.
    init(
        _ configuration: ServerConfiguration, _ plan: DescriptorPlan, _ memory: MemoryBudget,
        for holder: DescriptorBudget.Holder
    ) {
        self.init()
        self.memory = memory
        headerTimeout = .seconds(configuration.headerTimeoutSeconds)
        bodyTimeout = .seconds(configuration.bodyTimeoutSeconds)
        idleTimeout = .seconds(configuration.idleTimeoutSeconds)
        maximumConnections = plan.connections
        descriptors = DescriptorBudget.Share(of: .process, for: holder)
        refusalDescriptors = DescriptorBudget.Share(of: .process, for: .refusals)
        maximumConnectionsPerAddress = configuration.maxConnectionsPerAddress
        requestsPerSecond = configuration.requestsPerSecond
        trustedProxies = configuration.trustedProxies
        // Operators and other servers have ports of their own, without a proxy that adds a path.
        if holder == .connections { basePath = configuration.basePath }
        innerPaths = ["/metrics", "/cluster/"]
        socketAccess.mode = configuration.socketMode
        socketAccess.group = configuration.socketGroup
        pingInterval = .seconds(configuration.pingSeconds)
        silenceClose = SocketClose(
            code: RoomClose.heartbeatMissed.rawValue, reason: RetryAfter.reason(.milliseconds(500)))
        slowConsumerClose = SocketClose(
            code: RoomClose.tooSlow.rawValue, reason: RetryAfter.reason(.seconds(1)))
        // A comment of an event stream (WHATWG HTML §9.2.5): clients skip it, and proxies see traffic.
        streamKeepAlive = Array(": still here\n\n".utf8)
        maximumMessageBytes = Limits.clientMessageBytes
    }
}
