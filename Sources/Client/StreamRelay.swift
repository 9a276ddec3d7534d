import Reactor

/// A delegate that passes on the events of a stream, with a copy of the bytes. Loop only.
final class StreamRelay: StreamDelegate {
    enum Event: Sendable {
        case bytes([UInt8])
        case ended
        case failed(SystemError)
    }

    private let body: (Event) -> Void

    init(_ body: @escaping (Event) -> Void) { self.body = body }

    func received(_ bytes: inout MutableRawSpan) {
        // Sound: the buffer does not leave the closure.
        body(.bytes(bytes.bytes.withUnsafeBytes { Array($0) }))
    }

    func ended() { body(.ended) }

    func failed(_ error: SystemError) { body(.failed(error)) }

    func drained() {}
}
