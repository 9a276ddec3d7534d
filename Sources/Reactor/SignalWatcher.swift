import CLinux
import Glibc

/// A source of signals as events of a loop, through signalfd. Loop only.
package final class SignalWatcher: EventHandler {
    private let loop: EventLoop
    private let descriptor: OwnedDescriptor
    private let body: (CInt) -> Void

    /// Blocks the signals in the calling thread and all threads that it starts afterwards. Call it first in
    /// `main`.
    package static func block(_ signals: [CInt]) {
        var set = Self.set(of: signals)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Calls the body for each signal of the list that arrives. They must be blocked in every thread.
    package init(_ signals: [CInt], on loop: EventLoop, _ body: @escaping (CInt) -> Void) throws(SystemError)
    {
        self.loop = loop
        self.body = body
        var set = Self.set(of: signals)
        descriptor = OwnedDescriptor(
            adopting: try system("signalfd") { signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK)) })
        try loop.register(descriptor.raw, .readable, handler: self)
    }

    package func stop() { loop.unregister(descriptor.raw) }

    package func ready(_ events: EventSet) {
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        while Glibc.read(descriptor.raw, &info, size) == size { body(CInt(info.ssi_signo)) }
    }

    private static func set(of signals: [CInt]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
