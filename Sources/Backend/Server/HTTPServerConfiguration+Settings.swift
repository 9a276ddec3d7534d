import Contract
import HTTPServer
import Settings

extension HTTPServerConfiguration {
    /// The limits that an operator has set, as far as the process can keep them.
    init(_ configuration: ServerConfiguration, _ files: OpenFiles) {
        self.init()
        headerTimeout = .seconds(configuration.headerTimeoutSeconds)
        bodyTimeout = .seconds(configuration.bodyTimeoutSeconds)
        idleTimeout = .seconds(configuration.idleTimeoutSeconds)
        maximumConnections = files.connections(
            atMost: configuration.maxConnections, workers: configuration.workers, refusals: maximumRefusals)
        maximumConnectionsPerAddress = configuration.maxConnectionsPerAddress
        requestsPerSecond = configuration.requestsPerSecond
        trustedProxies = configuration.trustedProxies
        pingInterval = .seconds(configuration.pingSeconds)
        maximumMessageBytes = Limits.clientMessageBytes
    }
}
