package import Reactor

/// A TLS connection over a connected socket, on the socket's loop. Loop only.
///
/// The owner closes it; a stream that failed has closed itself before it reports that.
package final class TLSStream: StreamDelegate {
    package enum Event: Sendable {
        /// The handshake is done, and a client has checked the identity of the server.
        case established(TLSPeer)
        case received([UInt8])
        /// The peer sends no more. If not clean, it has not announced that, and the data may be truncated.
        case ended(isClean: Bool)
        /// The stream failed, and is closed.
        case failed(Failure)
        /// All written bytes were sent.
        case drained
    }

    package enum Failure: Error, Sendable {
        case tls(TLSError)
        case socket(SystemError)
    }

    /// The number of plain bytes that are encrypted at once, so that a long write is not in memory three
    /// times.
    private static let pieceBytes = 64 * 1024

    private let stream: Stream
    private var session: TLSSession
    private var handler: ((Event) -> Void)?
    private var hasToldEnd = false

    /// Adopts the stream; in a client it begins the handshake.
    package init(
        _ stream: Stream, _ session: consuming TLSSession, _ handler: @escaping (Event) -> Void
    ) {
        self.stream = stream
        self.session = session
        self.handler = handler
        stream.delegate = self
        sendOutput()
    }

    package var loop: EventLoop { stream.loop }

    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceBytes)
            session.write(piece.span.bytes)
            sendOutput()
            rest = rest[piece.endIndex...]
        }
    }

    /// Stops or resumes reading, which pushes back on the peer.
    package func setPaused(_ paused: Bool) { stream.setPaused(paused) }

    /// Announces that no more will be written, and closes the socket for writing once all bytes were sent.
    package func finishWriting() {
        session.finishWriting()
        sendOutput()
        stream.finishWriting()
    }

    /// Closes at once; unsent bytes are dropped. The handler is not called any more.
    package func close() {
        handler = nil
        stream.close()
    }

    package func received(_ bytes: inout MutableRawSpan) {
        let before = session.phase
        let plain = session.receive(bytes.bytes)
        sendOutput()
        if before == .handshake, let peer = session.peer { handler?(.established(peer)) }
        if !plain.isEmpty { handler?(.received(plain)) }
        if session.hasEnded { tellEnd(isClean: true) }
        checkFailure()
    }

    package func ended() {
        session.receiveEnd()
        checkFailure()
        tellEnd(isClean: session.hasEnded)
    }

    package func failed(_ error: SystemError) { tellFailure(.socket(error)) }

    package func drained() { handler?(.drained) }

    private func sendOutput() {
        let output = session.takeOutput()
        if !output.isEmpty { stream.write(output) }
    }

    private func tellEnd(isClean: Bool) {
        guard !hasToldEnd else { return }
        hasToldEnd = true
        handler?(.ended(isClean: isClean))
    }

    private func checkFailure() {
        guard handler != nil, case .failed(let error) = session.phase else { return }
        // The alert with the reason is flushed before the close.
        stream.finishWriting()
        stream.close()
        tellFailure(.tls(error))
    }

    private func tellFailure(_ failure: Failure) {
        handler.take()?(.failed(failure))
    }
}
