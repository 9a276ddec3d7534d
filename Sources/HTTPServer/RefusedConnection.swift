import Reactor

/// A connection that is told why it is not served, and no more. Loop only.
///
/// After the answer the socket is closed for writing alone, and what the client says is read over: closed
/// whole, with a request in it that nobody read, it would be reset, and the answer lost.
final class RefusedConnection: StreamDelegate {
    private let stream: Stream
    private let over: () -> Void
    private var timer: EventLoop.Timer?

    /// The stream keeps it until the peer has closed, or for that long; then `over` is called, once.
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
