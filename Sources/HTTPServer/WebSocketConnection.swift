import HTTP1
package import Reactor
package import WebSocket

/// One WebSocket on the loop of its room, from the handshake to the close. Loop only.
///
/// It answers pings, beats the heart, bounds what waits for a slow reader, and leaves messages to its
/// handler.
package final class WebSocketConnection: StreamDelegate, TimeoutChecked {
    private static let closeMilliseconds: UInt32 = 2_000

    var timeoutIndex: Int32 = -1
    private let worker: HTTPWorker
    private let stream: Stream
    private var handler: (any WebSocketHandler)?
    private var decoder: MessageDecoder
    private var closing = CloseHandshake()
    /// Until it is accepted or refused: what travelled with it.
    private var admission: Admission?
    private var lease: Quota<AddressKey>.Lease?
    private var lastHeard: UInt32
    /// The next ping; once a close frame was sent, the end of our patience.
    private var deadline: UInt32

    private final class Admission {
        var handOver: WebSocketHandOver
        var task: Task<Void, Never>?
        init(_ handOver: WebSocketHandOver) { self.handOver = handOver }
    }

    init(_ stream: Stream, worker: HTTPWorker, _ handOver: WebSocketHandOver) {
        self.worker = worker
        admission = Admission(handOver)
        lease = handOver.lease
        decoder = MessageDecoder(role: .server, maximumMessageBytes: worker.configuration.maximumMessageBytes)
        lastHeard = worker.now
        deadline = worker.now &+ worker.timeouts.header
        self.stream = stream
        stream.delegate = self
        worker.add(self)
    }

    /// The id of the request that opened the socket; empty once it is accepted or refused.
    package var id: String { admission?.handOver.request.id ?? "" }

    /// It is accepted or refused by a task, which is cancelled where the client goes away first.
    package func settle(by task: Task<Void, Never>) { admission?.task = task }

    /// Bytes that wait for the reader.
    package var pendingBytes: Int { stream.pendingBytes }

    /// Answers 101, then reads. False: the client has gone meanwhile, and the handler is not taken.
    package func accept(_ handler: any WebSocketHandler, greeting: RawSpan) -> Bool {
        guard let handOver = admission?.handOver, stream.isOpen else { return false }
        admission = nil
        worker.service.observe(handOver.request, 101, 0)
        self.handler = handler
        lastHeard = worker.now
        deadline = worker.now &+ worker.timeouts.ping
        let common = worker.commonFields(handOver.request.requestID)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encodeHead(
                status: 101, headers: handOver.upgrade.headers, common, framing: .none, into: &bytes)
        }
        stream.write(greeting)
        stream.tellsWhenDrained = false
        if handOver.remainder.isEmpty && !stream.hasEnded {
            stream.setPaused(false)
        } else {
            read(handOver.remainder)
        }
        return true
    }

    /// What came before the admission is read by the loop, before anything that came after it.
    private func read(_ remainder: [UInt8]) {
        stream.setPaused(true)
        let connection = LoopBound(self, to: worker.loop)
        worker.loop.execute {
            var remainder = remainder
            var span = remainder.mutableSpan
            var bytes = span.mutableBytes
            connection.value.received(&bytes)
            connection.value.stream.setPaused(false)
            // The end came while the connection was still one of HTTP; nobody says it again.
            if connection.value.stream.hasEnded { connection.value.ended() }
        }
    }

    /// Answers with an HTTP response instead, and closes.
    package func refuse(_ response: HTTPResponse) {
        guard let handOver = admission?.handOver, case .bytes(let body) = response.body else { return }
        admission = nil
        worker.service.observe(handOver.request, response.status, 0)
        let headers = worker.headers(for: response, keepAlive: false, minorVersion: 1)
        let common = worker.commonFields(handOver.request.requestID)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encode(
                status: response.status, headers: headers, common, body: body, into: &bytes)
        }
        _ = closing.closeReceived(nil)
        deadline = worker.now &+ Self.closeMilliseconds
        // The client's end is to be seen; what still comes is read over.
        stream.setPaused(false)
    }

    /// Sends a message. Nothing happens once a close was sent or received.
    package func send(_ opcode: Opcode, _ payload: RawSpan) {
        worker.withScratch { scratch in
            FrameEncoder.frame(opcode, payload, into: &scratch)
            sendFrame(scratch.span.bytes)
        }
    }

    /// Sends bytes that are whole frames already: the usual path of an ale.
    package func sendFrame(_ frame: RawSpan) {
        guard closing.isOpen else { return }
        let limit = worker.configuration.maximumPendingBytes
        if stream.pendingBytes + frame.byteCount > limit {
            // Much may have come together in this turn, and the reader be a fast one.
            stream.push()
            if stream.pendingBytes + frame.byteCount > limit { return overflow() }
        }
        stream.write(frame)
    }

    /// Says goodbye. The handler hears nothing more.
    package func close(_ code: CloseCode, reason: String = "") {
        handler = nil
        // Before the 101 there is no frame to say it with.
        if admission != nil { return end() }
        guard case .send = closing.closeWanted(code) else { return }
        writeClose(code, reason)
        deadline = worker.now &+ Self.closeMilliseconds
    }

    // What the stream says.

    package func received(_ bytes: inout MutableRawSpan) {
        if admission != nil { return hold(bytes.bytes) }
        guard stream.isOpen else { return }
        lastHeard = worker.now
        var offset = 0
        do throws(WebSocketError) {
            while let event = try decoder.next(&bytes, from: &offset) { handle(event, bytes.bytes) }
        } catch {
            fail(error)
        }
    }

    package func ended() {
        // It may still read what it was told in this turn.
        stream.push()
        end()
    }

    package func failed(_ error: SystemError) { end() }

    package func drained() {
        // The socket is closed for writing alone: closed whole, with something unread in it, it would be
        // reset, and our last words with it. The peer's end, or our patience's, does the rest.
        if case .closeTransport = closing.closeWritten() { stream.finishWriting() }
    }

    private func handle(_ event: WebSocketEvent, _ bytes: RawSpan) {
        switch event {
        case .text(let payload): deliver(payload, bytes, isText: true)
        case .binary(let payload): deliver(payload, bytes, isText: false)
        case .ping(let payload):
            switch payload {
            case .inPlace(let range): send(.pong, bytes.extracting(range))
            case .assembled(let message): send(.pong, message.span.bytes)
            }
        case .pong:
            break
        case .close(let code, _):
            peerClosed(code)
        }
    }

    private func deliver(_ payload: Payload, _ bytes: RawSpan, isText: Bool) {
        guard closing.isOpen else { return }
        switch payload {
        case .inPlace(let range): handler?.received(bytes.extracting(range), isText: isText)
        case .assembled(let message): handler?.received(message.span.bytes, isText: isText)
        }
    }

    /// Frames that arrive before the connection is accepted wait in the kernel.
    private func hold(_ bytes: RawSpan) {
        guard let handOver = admission?.handOver else { return }
        var remainder = handOver.remainder
        bytes.withUnsafeBytes { remainder.append(contentsOf: $0) }
        admission?.handOver = WebSocketHandOver(
            upgrade: handOver.upgrade, request: handOver.request, lease: nil, remainder: remainder)
        stream.setPaused(true)
    }

    private func peerClosed(_ code: CloseCode?) {
        switch closing.closeReceived(code) {
        case .send(let echo):
            writeClose(echo, "")
            deadline = worker.now &+ Self.closeMilliseconds
            let handler = handler
            self.handler = nil
            handler?.closed()
        case .closeTransport: end()
        case .nothing: break
        }
    }

    private func fail(_ error: WebSocketError) {
        // RFC 6455 §7.1.7: the peer does not keep to the protocol, so its goodbye is not waited for.
        guard case .send = closing.closeReceived(error.closeCode) else { return }
        writeClose(error.closeCode, error.detail)
        deadline = worker.now &+ Self.closeMilliseconds
        let handler = handler
        self.handler = nil
        handler?.closed()
    }

    /// Past the bound nothing more is queued. The handler is told later: it may be in the middle of a
    /// broadcast.
    private func overflow() {
        let close = worker.configuration.slowConsumerClose
        guard case .send = closing.closeWanted(CloseCode(rawValue: close.code)) else { return }
        worker.limitReached(.slowConsumer)
        writeClose(CloseCode(rawValue: close.code), close.reason)
        deadline = worker.now &+ Self.closeMilliseconds
        let connection = LoopBound(self, to: worker.loop)
        worker.loop.execute {
            let handler = connection.value.handler
            connection.value.handler = nil
            handler?.closed()
        }
    }

    private func writeClose(_ code: CloseCode?, _ reason: String) {
        stream.tellsWhenDrained = true
        worker.write(to: stream) { FrameEncoder.close(code, reason: reason, into: &$0) }
    }

    func checkTimeouts(at now: UInt32) {
        if admission != nil || !closing.isOpen {
            if Int32(bitPattern: now &- deadline) >= 0 { end() }
            return
        }
        if now &- lastHeard >= worker.timeouts.silence {
            worker.limitReached(.silent)
            let close = worker.configuration.silenceClose
            writeClose(CloseCode(rawValue: close.code), close.reason)
            stream.finishWriting()
            end()
        } else if Int32(bitPattern: now &- deadline) >= 0 {
            deadline = now &+ worker.timeouts.ping
            let ping = worker.pingFrame
            sendFrame(ping.span.bytes)
        }
    }

    func drain() {}  // Its handler closes it, with the code and the reason that fit.

    private func end() {
        _ = closing.abandon()
        let handler = handler
        self.handler = nil
        admission?.task?.cancel()
        admission = nil
        lease = nil
        stream.close()
        worker.remove(self)
        handler?.closed()
    }
}
