import Glibc
import Reactor

/// The bytes that come out of a descriptor, up to its end.
final class Pipe: StreamDelegate, @unchecked Sendable {
    // Unchecked: every variable is used on the loop's thread only.
    private var bytes: [UInt8] = []
    private var stream: Stream?
    private var hasEnded = false
    private var waiter: CheckedContinuation<Void, Never>?
    private var until: String?
    private var seen: () -> Void = {}

    init(until: String?) { self.until = until }

    /// Reads to the end. `seen` is called once, when the text that is waited for has arrived.
    func read(_ descriptor: CInt, on loop: EventLoop, _ seen: @escaping @Sendable () -> Void) async {
        await loop.submit { [self] in
            self.seen = seen
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            stream = try? Stream(adopting: OwnedDescriptor(adopting: descriptor), on: loop)
            stream?.delegate = self
        }
    }

    func text(on loop: EventLoop) async -> String {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                if hasEnded { continuation.resume() } else { waiter = continuation }
            }
        }
        return await loop.submit { [self] in String(decoding: bytes, as: UTF8.self) }
    }

    func received(_ bytes: inout MutableRawSpan) {
        // Sound: the buffer does not leave the closure.
        bytes.bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
        if let until, String(decoding: self.bytes, as: UTF8.self).contains(until) {
            self.until = nil
            seen()
        }
    }

    func ended() { end() }

    func failed(_ error: SystemError) { end() }

    func drained() {}

    private func end() {
        hasEnded = true
        stream?.close()
        waiter?.resume()
        waiter = nil
    }
}
