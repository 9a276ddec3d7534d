import CLinux
import Glibc

/// The times by which the kernel notices that the far end of a connection is gone.
package struct PeerWatch: Sendable {
    /// The seconds without traffic before the first probe.
    package var idleSeconds: CInt
    /// The seconds between two probes.
    package var probeSeconds: CInt
    /// The probes without an answer after which the connection ends, if there is no user time-out.
    package var probes: CInt
    /// The time without an acknowledgement of sent data or of probes, or with a closed window, after which
    /// the connection ends (TCP_USER_TIMEOUT, RFC 5482).
    package var userTimeout: Duration

    package init(idleSeconds: CInt, probeSeconds: CInt, probes: CInt, userTimeout: Duration) {
        self.idleSeconds = idleSeconds
        self.probeSeconds = probeSeconds
        self.probes = probes
        self.userTimeout = userTimeout
    }

    fileprivate func start(on raw: CInt) {
        setOption(SOL_SOCKET, SO_KEEPALIVE, to: 1, of: raw)
        setOption(CInt(IPPROTO_TCP), TCP_KEEPIDLE, to: idleSeconds, of: raw)
        setOption(CInt(IPPROTO_TCP), TCP_KEEPINTVL, to: probeSeconds, of: raw)
        setOption(CInt(IPPROTO_TCP), TCP_KEEPCNT, to: probes, of: raw)
        setOption(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: CInt(clamping: userTimeout.milliseconds), of: raw)
    }
}

/// One attempt to connect a socket, without blocking. Loop only.
package final class Connector: EventHandler {
    private let loop: EventLoop
    private let watch: PeerWatch?
    private var descriptor: CInt = -1
    private var timer: EventLoop.Timer?
    private var body: ((Result<Stream, SystemError>) -> Void)?

    /// Calls the body once, with the connected stream or the error (`ETIMEDOUT` after the time-out).
    @discardableResult
    package init(
        _ address: SocketAddress, on loop: EventLoop, timeout: Duration, watch: PeerWatch? = nil,
        _ body: @escaping (Result<Stream, SystemError>) -> Void
    ) {
        self.loop = loop
        self.watch = watch
        self.body = body
        do throws(SystemError) { try start(address, timeout) } catch { finish(.failure(error)) }
    }

    package func cancel() { finish(.failure(.failed(call: "connect", errno: ECANCELED))) }

    package func loopEnded() { cancel() }

    package func ready(_ events: EventSet) {
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        let result = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        if result != 0 || code != 0 {
            finish(.failure(.failed(call: "connect", errno: code)))
        } else {
            succeed()
        }
    }

    private func start(_ address: SocketAddress, _ timeout: Duration) throws(SystemError) {
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        descriptor = try system("socket") { socket(address.family, kind, 0) }
        setOption(CInt(IPPROTO_TCP), TCP_NODELAY, to: 1, of: descriptor)
        watch?.start(on: descriptor)
        let raw = descriptor
        if address.withSockaddr({ connect(raw, $0, $1) }) == 0 { return succeed() }
        guard errno == EINPROGRESS else { throw .failed(call: "connect", errno: errno) }
        try loop.register(raw, .writable, handler: self)
        timer = loop.schedule(after: timeout) { [weak self] in
            self?.finish(.failure(.failed(call: "connect", errno: ETIMEDOUT)))
        }
    }

    private func succeed() {
        loop.unregister(descriptor)
        let connected = OwnedDescriptor(adopting: descriptor)
        descriptor = -1
        do throws(SystemError) {
            finish(.success(try Stream(adopting: connected, on: loop)))
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<Stream, SystemError>) {
        guard let body = body.take() else { return }
        if let timer = timer.take() { loop.cancel(timer) }
        if descriptor >= 0 {
            loop.unregister(descriptor)
            _ = Glibc.close(descriptor)
            descriptor = -1
        }
        body(result)
    }
}
