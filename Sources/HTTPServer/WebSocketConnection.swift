import Codecs
import HTTP1
package import Reactor
import Tracing
package import WebSocket

/// One WebSocket on the loop of its room, from the handshake to the close. Loop only.
///
/// It answers and sends pings, bounds the bytes that wait for a slow reader (back-pressure: beyond the bound
/// it closes with `slowConsumerClose`), and passes messages to its handler.
package final class WebSocketConnection: StreamDelegate, TimeoutChecked {
    private static let closeMilliseconds: UInt32 = 2_000

    var timeoutIndex: Int32 = -1
    let worker: HTTPWorker
    let stream: Stream
    private var handler: (any WebSocketHandler)?
    var decoder: MessageDecoder
    private var closing = CloseHandshake()
    /// The state that was handed over, until the socket is accepted or refused.
    var opening: Opening?
    private var lease: Quota<AddressKey>.Lease?
    /// The bytes of one read, while the handler holds its messages; the stream is paused then.
    var held: [UInt8]?
    private var record: SocketRecord?
    let client: ClientAddress
    private let isOfPeer: Bool
    private let account: (any CustomStringConvertible & Sendable)?
    var memory = HeldMemory()
    /// Whether the last ping has no pong yet. It was sent one interval before `deadline`.
    private var awaitsPong = false
    private var lastHeard: UInt32
    /// The milliseconds between two pings; after two and a half of them in silence the socket is closed.
    private var pingMilliseconds: UInt32
    /// The time of the next ping; after a close frame was sent, the time at which the socket is closed.
    private var deadline: UInt32

    init(_ stream: Stream, worker: HTTPWorker, _ handOver: WebSocketHandOver) {
        self.worker = worker
        opening = Opening(handOver)
        (client, account) = (handOver.request.client, handOver.upgrade.account)
        isOfPeer = handOver.upgrade.isOfPeer
        lease = handOver.lease
        decoder = MessageDecoder(role: .server, maximumMessageBytes: worker.configuration.maximumMessageBytes)
        lastHeard = worker.now
        deadline = worker.now &+ worker.timeouts.header
        pingMilliseconds = worker.timeouts.ping
        self.stream = stream
        stream.delegate = self
        worker.add(self)
    }

    /// The id of the request that opened the socket; empty once it is accepted or refused.
    package var id: String { opening?.handOver.request.id ?? "" }

    /// Whether frames can still be sent, at once or after the 101: no close was sent or received, and the
    /// client has not gone.
    package var isOpen: Bool { closing.isOpen && stream.isOpen }

    /// Has the upgrade accept or refuse the socket.
    func open() {
        guard let handOver = opening?.handOver else { return }
        countMemory()
        guard let span = handOver.request.span else {
            let task = handOver.upgrade.open(self)
            opening?.task = task
            return
        }
        Span.$current.withValue(span) {
            let task = handOver.upgrade.open(self)
            opening?.task = task
        }
    }

    /// The client and the account for which the socket holds bytes.
    var owner: MemoryBudget.Owner {
        .init(client: isOfPeer ? nil : client, account: account.map { "\($0)" })
    }

    /// The number of bytes that wait for the reader.
    package var pendingBytes: Int { stream.pendingBytes }

    /// Answers 101, sends the frames of the greeting, and reads from now on. If the client has gone, it only
    /// tells the handler that the connection is closed. The record, if there is one, is told of the end.
    package func accept(
        _ handler: any WebSocketHandler, greeting: [UInt8] = [], record: SocketRecord? = nil,
        _ tuning: SocketTuning = SocketTuning()
    ) {
        guard let handOver = opening?.handOver, stream.isOpen else { return handler.closed() }
        opening = nil
        self.handler = handler
        self.record = record
        lastHeard = worker.now
        if let interval = tuning.pingInterval { pingMilliseconds = interval.milliseconds }
        if let bytes = tuning.unsentBytes { stream.limitUnsent(to: bytes) }
        deadline = worker.now &+ pingMilliseconds
        switchProtocols(handOver)
        stream.write(greeting)
        stream.tellsWhenDrained = false
        countMemory()
        if handOver.remainder.isEmpty && !stream.hasEnded {
            stream.setPaused(false)
        } else {
            read(handOver.remainder)
        }
    }

    /// Reads the bytes that came before the 101 in the next turn of the loop, before any later bytes.
    private func read(_ remainder: [UInt8]) {
        stream.setPaused(true)
        let connection = LoopBound(self, to: worker.loop)
        worker.loop.execute { connection.value.readOn(from: remainder) }
    }

    /// Reads bytes that were kept, and then on from the socket, unless the handler holds its messages.
    private func readOn(from kept: [UInt8]) {
        var kept = kept
        var span = kept.mutableSpan
        var bytes = span.mutableBytes
        received(&bytes)
        if held != nil { return }
        stream.setPaused(false)
        // If the end came while the connection was still HTTP, it is not reported again.
        if stream.hasEnded { ended() }
    }

    /// Processes what was kept while the handler held its messages, in order, and reads on. This happens a
    /// little later in the turn, so that it may be called at any point. It does nothing on a connection that
    /// keeps nothing.
    package func resume() {
        guard held != nil else { return }
        let connection = LoopBound(self, to: worker.loop)
        worker.loop.execute {
            guard let kept = connection.value.held.take() else { return }
            connection.value.readOn(from: kept)
        }
    }

    /// Passes the bytes of the client to another server and back from now on, unparsed, after a 101 with the
    /// fields of the upgrade. Returns false if the link has ended already: the connection is still opening
    /// then, and can be refused. If the client has gone, the link is closed. The link is one of this loop.
    @discardableResult
    package func relay(to link: OpenLink, _ tuning: SocketTuning = SocketTuning()) -> Bool {
        guard let handOver = opening?.handOver, stream.isOpen else {
            link.close()
            return true
        }
        guard let (server, early, descriptor) = link.take() else { return false }
        opening = nil
        _ = closing.abandon()
        switchProtocols(handOver)
        stream.write(early)
        server.write(handOver.remainder)
        let relay = Relay(
            client: stream, server: server, descriptor, worker: worker, lease, for: owner, tuning)
        memory.release()
        lease = nil
        worker.replace(self, by: relay)
        relay.start()
        return true
    }

    /// Answers 101, and reports the request.
    private func switchProtocols(_ handOver: WebSocketHandOver) {
        worker.service.answered(handOver.answered(101))
        let common = worker.commonFields(handOver.request.requestID)
        worker.write(to: stream) { bytes in
            ResponseEncoder.encodeHead(
                status: 101, headers: handOver.upgrade.headers, common, framing: .none, into: &bytes)
        }
    }

    /// Answers with an HTTP response instead, and closes.
    package func refuse(_ response: HTTPResponse) {
        guard let handOver = opening?.handOver, case .bytes(let body) = response.body else { return }
        opening = nil
        worker.service.answered(handOver.answered(response.status, bytes: body.count))
        _ = worker.write(
            response, to: stream, answering: nil, handOver.request.requestID, keepAlive: false)
        _ = closing.closeReceived(nil)
        deadline = worker.now &+ Self.closeMilliseconds
        countMemory()
        // Reading goes on to see the client's end; further input is discarded.
        stream.setPaused(false)
    }

    /// Sends a message, unless a close was sent or received.
    package func send(_ opcode: Opcode, _ payload: RawSpan) {
        worker.withScratch { scratch in
            FrameEncoder.frame(opcode, payload, into: &scratch)
            deliver(scratch.span.bytes)
        }
    }

    /// Sends bytes that are complete frames: the usual path of an ale.
    package func deliver(_ frame: RawSpan) {
        // Before the 101 there are no frames.
        guard opening == nil, closing.isOpen else { return }
        let limit = worker.configuration.maximumPendingBytes
        if stream.pendingBytes + frame.byteCount > limit {
            // Many frames may have gathered in this turn although the reader is fast.
            stream.push()
            if stream.pendingBytes + frame.byteCount > limit { return overflow() }
        }
        stream.write(frame)
    }

    /// Whether bytes of earlier turns of the loop still wait for the reader.
    package var isBehind: Bool { stream.isBehind }

    /// Has the handler's `drained` called, once, when nothing waits for the reader any more.
    package func tellWhenDrained() { stream.tellsWhenDrained = true }

    /// Sends a close frame. The handler hears nothing more.
    package func close(_ code: CloseCode, reason: String = "") {
        handler = nil
        // Before the 101 no frame can be sent.
        if opening != nil { return end() }
        // The client's answer to the close is behind what was held.
        resume()
        guard case .send = closing.closeWanted(code) else { return }
        writeClose(code, reason)
        deadline = worker.now &+ Self.closeMilliseconds
    }

    // Events of the stream.

    package func received(_ bytes: inout MutableRawSpan) {
        if opening != nil { return keepEarly(bytes.bytes) }
        guard stream.isOpen else { return }
        // A message of several reads, or a part of one, stays in the decoder.
        defer { countMemory() }
        lastHeard = worker.now
        // One reference for all messages of this read, since to count references costs more than to decode.
        let listener = handler
        if let listener, listener.holdsMessages { return hold(bytes.bytes) }
        var offset = 0
        do throws(WebSocketError) {
            while let event = try decoder.next(&bytes, from: &offset) {
                // A handler may close the socket, after which it hears nothing more.
                let hears = closing.isOpen && handler != nil
                switch event {
                case .text where !hears, .binary where !hears: break
                case .text(.inPlace(let range)):
                    listener?.received(bytes.bytes.extracting(range), isText: true)
                case .text(.assembled(let message)): listener?.received(message.span.bytes, isText: true)
                case .binary(.inPlace(let range)):
                    listener?.received(bytes.bytes.extracting(range), isText: false)
                case .binary(.assembled(let message)): listener?.received(message.span.bytes, isText: false)
                case .ping(.inPlace(let range)): send(.pong, bytes.bytes.extracting(range))
                case .ping(.assembled(let message)): send(.pong, message.span.bytes)
                case .pong: pongReceived()
                case .close(let code, let reason): peerClosed(code, reason)
                }
            }
        } catch {
            fail(error)
        }
    }

    package func ended() {
        if opening == nil, closing.isOpen, let close = handler?.closeAtEnd {
            writeClose(CloseCode(rawValue: close.code), close.reason)
        }
        // The peer may still read the frames of this turn.
        stream.push()
        end()
    }

    package func failed(_ error: SystemError) { end() }

    package func drained() {
        if closing.isOpen {
            // Before the 101 there may be a refusal, whose end is told too.
            guard opening == nil else { return }
            stream.tellsWhenDrained = false
            handler?.drained()
            return
        }
        // The socket is closed for writing only: closing it with unread bytes would reset it, and lose the
        // last frames. It is closed when the peer closes, or at the deadline.
        if case .closeTransport = closing.closeWritten() { stream.finishWriting() }
    }

    private func pongReceived() {
        // After a close frame the deadline is that of the close.
        guard awaitsPong, closing.isOpen else { return }
        awaitsPong = false
        let sent = deadline &- pingMilliseconds
        worker.roundTrips.add(Double(worker.now &- sent) / 1_000)
    }

    private func peerClosed(_ code: CloseCode?, _ reason: String) {
        record?.closes(code?.rawValue ?? 1005, reason)
        switch closing.closeReceived(code) {
        case .send(let echo):
            writeClose(echo, "")
            deadline = worker.now &+ Self.closeMilliseconds
            handler.take()?.closed()
        case .closeTransport:
            // Our own close frame may still wait.
            stream.push()
            end()
        case .nothing: break
        }
    }

    private func fail(_ error: WebSocketError) {
        // RFC 6455 §7.1.7: the peer violates the protocol, so its close frame is not awaited.
        guard case .send = closing.closeReceived(error.closeCode) else { return }
        writeClose(error.closeCode, error.detail)
        deadline = worker.now &+ Self.closeMilliseconds
        handler.take()?.closed()
    }

    /// Closes a socket whose reader is too slow; nothing more is queued. The handler is told later, since it
    /// may be in the middle of a broadcast.
    private func overflow() {
        let close = worker.configuration.slowConsumerClose
        guard case .send = closing.closeWanted(CloseCode(rawValue: close.code)) else { return }
        worker.limitReached(.slowConsumer)
        writeClose(CloseCode(rawValue: close.code), close.reason)
        deadline = worker.now &+ Self.closeMilliseconds
        let connection = LoopBound(self, to: worker.loop)
        worker.loop.execute {
            let handler = connection.value.handler.take()
            connection.value.resume()
            handler?.closed()
        }
    }

    private func writeClose(_ code: CloseCode?, _ reason: String) {
        stream.tellsWhenDrained = true
        worker.setNextCheck(of: self, to: worker.now)
        if let code { record?.closes(code.rawValue, reason) }
        worker.write(to: stream) { FrameEncoder.close(code, reason: reason, into: &$0) }
    }

    func checkTimeouts(at now: UInt32) -> UInt32 {
        if opening != nil || !closing.isOpen {
            if Int32(bitPattern: now &- deadline) >= 0 { end() }
            return now
        }
        // A client that is not listened to is not silent.
        if held != nil { lastHeard = now }
        let silence = lastHeard &+ pingMilliseconds &* 5 / 2
        if Int32(bitPattern: now &- silence) >= 0 {
            worker.limitReached(.silent)
            let close = worker.configuration.silenceClose
            writeClose(CloseCode(rawValue: close.code), close.reason)
            stream.finishWriting()
            end()
            return now
        }
        if Int32(bitPattern: now &- deadline) >= 0 {
            deadline = now &+ pingMilliseconds
            awaitsPong = true
            let ping = worker.pingFrame
            deliver(ping.span.bytes)
        }
        // Sending the ping may have begun to close the socket.
        if !closing.isOpen { return now }
        return Int32(bitPattern: deadline &- silence) < 0 ? deadline : silence
    }

    /// Whether the last ping has had no answer for half an interval, and nothing else came in that time.
    package var hasMissedPing: Bool {
        guard awaitsPong, closing.isOpen, held == nil else { return false }
        let pinged = deadline &- pingMilliseconds
        let last = Int32(bitPattern: lastHeard &- pinged) > 0 ? lastHeard : pinged
        return worker.now &- last >= pingMilliseconds / 2
    }

    func drain() {}  // The handler closes the socket, with the right code and reason.

    func end() {
        _ = closing.abandon()
        let handler = handler.take()
        opening.take()?.task?.cancel()
        lease = nil
        held = nil
        memory.release()
        let (record, traffic) = (self.record.take(), stream.traffic)
        stream.close()
        worker.remove(self)
        handler?.closed()
        record?.finish(traffic)
    }
}
