package import Reactor

/// TLS over a connected socket, on the socket's loop. Loop only.
///
/// Whoever made it closes it; one that failed has closed itself before that is told.
package final class TLSStream: StreamDelegate {
    package enum Event: Sendable {
        /// The handshake is done, and a client knows that the server is the one that was meant.
        case established(TLSPeer)
        case received([UInt8])
        /// The peer sends no more. Not clean: it has not said so, and what came may have been cut off.
        case ended(isClean: Bool)
        /// The stream is closed.
        case failed(Failure)
        /// All that was written has left.
        case drained
    }

    package enum Failure: Error, Sendable {
        case tls(TLSError)
        case socket(SystemError)
    }

    /// Plain bytes that are turned into records at once: a long write does not lie in memory three times.
    private static let pieceBytes = 64 * 1024

    private let stream: Stream
    private var session: TLSSession
    private var handler: ((Event) -> Void)?
    private var hasToldEnd = false

    /// Takes the stream over; begins the handshake in a client.
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

    /// Bytes for the socket that have not left.
    package var pendingBytes: Int { stream.pendingBytes }

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

    /// Says that no more will be written, once what was written has left.
    package func finishWriting() {
        session.finishWriting()
        sendOutput()
        stream.finishWriting()
    }

    /// Closes at once; what has not left is dropped. Nothing more is told.
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
        // The alert that says why is on its way.
        stream.finishWriting()
        stream.close()
        tellFailure(.tls(error))
    }

    private func tellFailure(_ failure: Failure) {
        let handler = handler
        self.handler = nil
        handler?(.failed(failure))
    }
}
