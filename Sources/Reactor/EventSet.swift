import CLinux
import Glibc

/// The events of a descriptor that epoll reports, or is asked to watch for.
package struct EventSet: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = EventSet(rawValue: EPOLLIN.rawValue)
    package static let writable = EventSet(rawValue: EPOLLOUT.rawValue)
    package static let error = EventSet(rawValue: EPOLLERR.rawValue)
    package static let hangUp = EventSet(rawValue: EPOLLHUP.rawValue)
    /// The flag by which only one of the loops that watch a shared descriptor is woken.
    package static let exclusive = EventSet(rawValue: 1 << 28)
    /// The flag by which events are reported once, also a hang-up, until the descriptor is watched again.
    package static let once = EventSet(rawValue: 1 << 30)
}

/// A receiver of the events of a descriptor. Called on the loop's thread only.
package protocol EventHandler: AnyObject {
    func ready(_ events: EventSet)
    /// Called when the loop has ended; no call follows. The default does nothing.
    func loopEnded()
}

extension EventHandler {
    package func loopEnded() {}
}

/// A receiver of what requests of a ring bring, on a loop that has one. Called on the loop's thread only.
protocol RequestHandler: EventHandler {
    func completed(_ completion: Ring.Completion, in ring: Ring)
}
