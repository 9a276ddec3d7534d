import Reactor

/// The time-outs of a configuration in milliseconds, as connections count them.
struct Timeouts: Sendable {
    let header: UInt32
    let body: UInt32
    let idle: UInt32
    let handler: UInt32
    let write: UInt32
    let streamKeepAlive: UInt32
    let ping: UInt32

    init(_ configuration: HTTPServerConfiguration) {
        header = configuration.headerTimeout.milliseconds
        body = configuration.bodyTimeout.milliseconds
        idle = configuration.idleTimeout.milliseconds
        handler = configuration.handlerTimeout.milliseconds
        write = configuration.writeTimeout.milliseconds
        streamKeepAlive = configuration.streamKeepAliveInterval.milliseconds
        ping = configuration.pingInterval.milliseconds
    }
}
