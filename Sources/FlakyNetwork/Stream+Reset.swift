import Glibc
import Reactor

extension Stream {
    /// Closes at once, so that the peer sees a reset and not an end. Unsent bytes are dropped; if some of
    /// them wait in this process, the peer may see an end in the middle instead.
    func reset() {
        detach { detached in
            if let detached { FlakyRelay.reset(detached.descriptor) } else { self.close() }
        }
    }
}
