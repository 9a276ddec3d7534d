import Reactor
import TLS

/// A delegate that passes on the events of a plain stream as those of one with TLS, with a copy of the bytes.
/// Loop only.
final class StreamRelay: StreamDelegate {
    private let body: (TLSStream.Event) -> Void

    init(_ body: @escaping (TLSStream.Event) -> Void) { self.body = body }

    func received(_ bytes: inout MutableRawSpan) {
        // Sound: the buffer does not leave the closure.
        body(.received(bytes.bytes.withUnsafeBytes { Array($0) }))
    }

    func ended() { body(.ended(isClean: true)) }

    func failed(_ error: SystemError) { body(.failed(.socket(error))) }

    func drained() {}
}
