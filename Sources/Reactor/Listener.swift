import CLinux
import Glibc

/// A listening socket that several loops accept from.
///
/// One socket is registered in every loop's epoll with `EPOLLEXCLUSIVE`. It is not bound with `SO_REUSEPORT`:
/// with that, a second server on the same port would start without an error.
package final class Listener: Sendable {
    private let descriptor: OwnedDescriptor
    /// The file of a Unix socket; nil for any other.
    private let file: SocketFile?
    /// The address at which it listens, with the real port if 0 was asked for.
    package let address: SocketAddress

    /// Listens at the address. Throws `EADDRINUSE` if the port is taken, also by another server of ours.
    /// `access` is that of a Unix socket.
    package init(
        binding address: SocketAddress, backlog: CInt = 4096, access: SocketFile.Access = SocketFile.Access()
    ) throws(SystemError) {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let raw = try system("socket") { socket(address.family, kind, 0) }
        let descriptor = OwnedDescriptor(adopting: raw)
        try system("setsockopt") { setOption(SOL_SOCKET, SO_REUSEADDR, to: 1, of: raw) }
        if address.family == AF_INET6 {
            // `::` is all addresses of both families, whatever the system's default is.
            try system("setsockopt") { setOption(CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: 0, of: raw) }
        }
        if let path = address.path {
            file = try SocketFile(binding: raw, to: address, at: path, access)
        } else {
            file = nil
            try system("bind") { address.withSockaddr { bind(raw, $0, $1) } }
        }
        try system("listen") { listen(raw, backlog) }
        self.address = SocketAddress.local(of: raw) ?? address
        self.descriptor = descriptor
    }

    var raw: CInt { descriptor.raw }
}

/// The part of a listener on one loop. Loop only.
package final class Acceptor: RequestHandler {
    private static let perTurn = 32
    private static let pauseWhenExhausted = Duration.milliseconds(100)
    /// The time without an acknowledgement of sent data, or with a closed window, after which a connection
    /// ends (TCP_USER_TIMEOUT, RFC 5482): as long as for a silent WebSocket at the usual interval of pings.
    /// The kernel's default is a quarter of an hour, during which a peer that is gone would use up its
    /// quotas.
    private static let userTimeoutMilliseconds: CInt = 75_000

    private let loop: EventLoop
    /// The listener; nil after the acceptor has stopped. The last of the loops to stop closes the socket.
    private var listener: Listener?
    private let accepted: (consuming OwnedDescriptor) -> Void
    private let exhausted: (SystemError) -> Void
    private var isWatching = false
    /// The name of the request that asks for connections; nil on a loop without a ring.
    private var request: Ring.Token?

    /// Starts to accept. `accepted` gets each connection, non-blocking, without delay for small segments, and
    /// with a user time-out; `exhausted` is called when the process is out of descriptors or memory, and
    /// accepting pauses for a tenth of a second, and as long as the budget of descriptors is starved.
    package init(
        _ listener: Listener, on loop: EventLoop, exhausted: @escaping (SystemError) -> Void = { _ in },
        accepted: @escaping (consuming OwnedDescriptor) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.listener = listener
        self.accepted = accepted
        self.exhausted = exhausted
        try watch()
    }

    package func stop() {
        unwatch()
        listener = nil
    }

    package func loopEnded() { stop() }

    func completed(_ completion: Ring.Completion, in ring: Ring) {
        if completion.result >= 0 {
            adopt(completion.result)
            // Others may wait behind it.
            ready(.readable)
        }
        // The handler of an accepted connection may have stopped the acceptor.
        guard isWatching else { return }
        switch -completion.result {
        case ...0, ECONNABORTED, EAGAIN, EINTR, ECANCELED: if let request { ring.accept(request) }
        default: pause(-completion.result)
        }
    }

    package func ready(_ events: EventSet) {
        for _ in 0..<Self.perTurn {
            // The handler of an accepted connection may have stopped the acceptor.
            guard isWatching, let listener else { return }
            if DescriptorBudget.process.isStarved { return pause() }
            let flags = CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
            let raw = accept4(listener.raw, nil, nil, flags)
            if raw >= 0 {
                adopt(raw)
                continue
            }
            let code = errno
            switch code {
            case EAGAIN: return
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause(code)
            default: continue  // The connection was gone before it was accepted; there may be another one.
            }
        }
    }

    private func adopt(_ raw: CInt) {
        let descriptor = OwnedDescriptor(adopting: raw)
        setOption(CInt(IPPROTO_TCP), TCP_NODELAY, to: 1, of: raw)
        setOption(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: Self.userTimeoutMilliseconds, of: raw)
        // A connection that takes one of the last descriptors is served; those after it wait.
        accepted(descriptor)
        DescriptorBudget.process.opened(raw)
        if isWatching, DescriptorBudget.process.isStarved { pause() }
    }

    private func watch() throws(SystemError) {
        guard let listener else { return }
        if let ring = loop.ring {
            let token = Ring.Token(.accept, listener.raw, loop.registerRequests(listener.raw, handler: self))
            request = token
            ring.accept(token)
        } else {
            try loop.register(listener.raw, [.readable, .exclusive], handler: self)
        }
        isWatching = true
    }

    private func unwatch() {
        guard isWatching, let listener else { return }
        isWatching = false
        if let request, let ring = loop.ring {
            ring.cancel(request)
            ring.submit()
        }
        request = nil
        loop.unregister(listener.raw)
    }

    private func pause(_ code: CInt) {
        let error = SystemError.failed(call: "accept4", errno: code)
        if error.isOutOfDescriptors { DescriptorBudget.process.ranOut() }
        pause(error)
    }

    /// Pauses while the process has no descriptor left, which another call has found out.
    private func pause() { pause(.failed(call: "accept4", errno: EMFILE)) }

    private func pause(_ error: SystemError) {
        unwatch()
        exhausted(error)
        retryLater()
    }

    private func retryLater() {
        loop.schedule(after: Self.pauseWhenExhausted) { [self] in
            if DescriptorBudget.process.isStarved { return retryLater() }
            do throws(SystemError) { try watch() } catch { retryLater() }
        }
    }
}
