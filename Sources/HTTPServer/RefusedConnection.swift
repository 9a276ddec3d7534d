import HTTP1
import Reactor

/// A connection that is refused with an answer. Loop only.
///
/// The answer depends on the request, so its head is read first. A client that has not sent one within a
/// second gets the answer all the same. After the answer the socket is closed for writing only, and the
/// client's bytes are discarded: closing it with unread bytes would reset it, and the answer would be lost.
final class RefusedConnection: StreamDelegate {
    private static let longestWait = Duration.seconds(1)

    private let stream: Stream
    private var parser: RequestParser
    /// Writes the answer to a head, which is nil if none was read; nil once it is written.
    private var answer: ((Stream, RequestHead?) -> Void)?
    private let over: () -> Void
    private var timers: [EventLoop.Timer] = []

    /// Keeps the connection until the peer has closed it after the answer, or for `patience`; then `over` is
    /// called once. `answer` is called once, to write the answer to the stream.
    init(
        _ stream: Stream, limits: HTTPLimits, patience: Duration, over: @escaping () -> Void,
        answer: @escaping (Stream, RequestHead?) -> Void
    ) {
        self.stream = stream
        self.over = over
        self.answer = answer
        parser = RequestParser(limits: limits)
        stream.delegate = self
        timers = [
            stream.loop.schedule(after: min(patience / 2, Self.longestWait)) { [weak self] in
                self?.respond(to: nil)
            },
            stream.loop.schedule(after: patience) { [weak self] in self?.close() },
        ]
    }

    func received(_ bytes: inout MutableRawSpan) {
        if answer == nil { return }
        parser.receive(bytes.bytes)
        do throws(HTTPError) {
            if case .head(let head)? = try parser.next() { respond(to: head) }
        } catch {
            respond(to: nil)
        }
    }

    func ended() {
        respond(to: nil)
        if stream.pendingBytes == 0 { close() }
    }

    func failed(_ error: SystemError) { close() }

    func drained() { if stream.hasEnded { close() } }

    private func respond(to head: RequestHead?) {
        guard let answer = answer.take() else { return }
        answer(stream, head)
        stream.finishWriting()
    }

    private func close() {
        if timers.isEmpty { return }
        for timer in timers { stream.loop.cancel(timer) }
        timers = []
        answer = nil
        stream.close()
        over()
    }
}
