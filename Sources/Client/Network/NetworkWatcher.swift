import CLinux
import Glibc
import Reactor

/// A watcher to which the kernel reports changes of the network and of addresses. Loop only.
final class NetworkWatcher: EventHandler {
    /// The silence after which a change is reported. A change is many messages; it is reported after
    /// `longest` at the latest.
    private static let quiet = Duration.milliseconds(200)
    private static let longest = Duration.seconds(2)

    private let loop: EventLoop
    private let socket: OwnedDescriptor
    private let changed: () -> Void
    private var changes = NetworkChanges()
    private var timer: EventLoop.Timer?
    /// The instant of the first message of a change that is not reported yet.
    private var began: ContinuousClock.Instant?

    /// Watches the network of the calling thread's namespace.
    init(on loop: EventLoop, changed: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.changed = changed
        socket = OwnedDescriptor(adopting: try system("socket(netlink)") { netlink_route_socket() })
        let raw = socket.raw
        try system("bind(netlink)") { netlink_bind_changes(raw) }
        try loop.register(raw, .readable, handler: self)
    }

    func stop() {
        if let timer = timer.take() { loop.cancel(timer) }
        loop.unregister(socket.raw)
    }

    func ready(_ events: EventSet) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(socket.raw, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 {
                if changes.receive(Array(buffer.prefix(count))) { note() }
            } else if count < 0 && errno == ENOBUFS {
                // So much has happened that the kernel dropped some messages.
                note()
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }

    private func note() {
        let now = ContinuousClock.now
        let latest = (began ?? now) + Self.longest
        if began == nil { began = now }
        if let timer { loop.cancel(timer) }
        timer = loop.schedule(after: min(Self.quiet, latest - now)) { [weak self] in
            guard let self else { return }
            timer = nil
            began = nil
            changed()
        }
    }

    /// Starts the one watcher of the process, which reports every change to all connections. If the kernel
    /// permits no watcher, the heartbeat detects a change a little later.
    static func start() { _ = isStarted }

    private static let isStarted: Bool = {
        guard let loop = try? ClientLoop.shared() else { return false }
        loop.execute {
            _ = try? NetworkWatcher(on: loop) {
                Task(executorPreference: loop) {
                    for connection in LiveConnections.all { await connection.networkChanged() }
                }
            }
        }
        return true
    }()
}
