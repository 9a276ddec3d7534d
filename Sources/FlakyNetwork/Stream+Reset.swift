import Glibc
import Reactor

extension Stream {
    /// Closes at once, so that the peer sees a reset and not an end. What has not left is dropped; where some
    /// of that waits in here the peer may see an end in the middle instead.
    func reset() {
        if let raw = detach() { FlakyRelay.reset(raw) } else { close() }
    }
}
