import Reactor

/// A connection that is refused with an answer. Loop only.
///
/// After the answer the socket is closed for writing only, and the client's bytes are discarded: closing it
/// with unread bytes would reset it, and the answer would be lost.
final class RefusedConnection: StreamDelegate {
    private let stream: Stream
    private let over: () -> Void
    private var timer: EventLoop.Timer?

    /// Sends the answer. The stream keeps the connection until the peer has closed, or for `patience`; then
    /// `over` is called once.
    init(_ stream: Stream, answer: RawSpan, patience: Duration, over: @escaping () -> Void) {
        self.stream = stream
        self.over = over
        stream.delegate = self
        timer = stream.loop.schedule(after: patience) { [weak self] in self?.close() }
        stream.write(answer)
        stream.finishWriting()
    }

    func received(_ bytes: inout MutableRawSpan) {}

    func ended() { close() }

    func failed(_ error: SystemError) { close() }

    func drained() {}

    private func close() {
        guard let timer else { return }
        self.timer = nil
        stream.loop.cancel(timer)
        stream.close()
        over()
    }
}
