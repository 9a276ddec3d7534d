import CLinux
import Glibc

/// What epoll says of a descriptor, or is asked to watch for.
package struct EventSet: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = EventSet(rawValue: EPOLLIN.rawValue)
    package static let writable = EventSet(rawValue: EPOLLOUT.rawValue)
    package static let error = EventSet(rawValue: EPOLLERR.rawValue)
    package static let hangUp = EventSet(rawValue: EPOLLHUP.rawValue)
    /// Only one of the loops that watch a shared descriptor is woken.
    package static let exclusive = EventSet(rawValue: 1 << 28)
}

/// Something that a loop tells about its descriptor. Called on the loop's thread only.
package protocol EventHandler: AnyObject {
    func ready(_ events: EventSet)
    /// The loop has ended, and calls nobody any more. The default does nothing.
    func loopEnded()
}

extension EventHandler {
    package func loopEnded() {}
}
