import Reactor

/// The registration of libpq's socket with the loop. libpq owns the descriptor.
struct SocketWatch {
    private var descriptor: CInt = -1
    private var interest: EventSet = []

    /// Watches the socket for these events, instead of the earlier ones.
    mutating func set(
        _ events: EventSet, of socket: CInt, on loop: EventLoop, handler: any EventHandler
    ) throws(SystemError) {
        if descriptor < 0 {
            try loop.register(socket, events, handler: handler)
            descriptor = socket
        } else if events != interest {
            try loop.modify(descriptor, events)
        }
        interest = events
    }

    mutating func end(on loop: EventLoop) {
        guard descriptor >= 0 else { return }
        loop.unregister(descriptor)
        descriptor = -1
        interest = []
    }
}
