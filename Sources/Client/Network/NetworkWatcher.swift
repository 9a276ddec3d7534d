import CLinux
import Glibc
import Reactor

/// Hears from the kernel when the machine has another network or address. Loop only.
final class NetworkWatcher: EventHandler {
    /// A change is many messages; it is told when none has come for so long, or at the latest after the
    /// second.
    private static let quiet = Duration.milliseconds(200)
    private static let longest = Duration.seconds(2)

    private let loop: EventLoop
    private let socket: OwnedDescriptor
    private let changed: () -> Void
    private var changes = NetworkChanges()
    private var timer: EventLoop.Timer?
    /// When the first message came of a change that is not told yet.
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
        if let timer { loop.cancel(timer) }
        timer = nil
        loop.unregister(socket.raw)
    }

    func ready(_ events: EventSet) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(socket.raw, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 {
                if changes.receive(Array(buffer.prefix(count))) { note() }
            } else if count < 0 && errno == ENOBUFS {
                // So much has happened that some of it was dropped.
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

    /// Once for the process, which then is told of every change. Where the kernel does not let anybody
    /// listen, a change is found a little later, by the heart.
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
