import Contract
import HTTP1
package import Reactor
import WebSocket

/// A stay in a room, over as many connections as that takes.
///
/// Its events are read with `next`, or with `for try await` over `events`. Reading is what keeps it alive:
/// pings are answered and lost connections are replaced while somebody waits for the next event. A session
/// that has been in the room comes back as the close code says; before that, whatever goes wrong is thrown.
public actor RoomSession {
    /// Ales that may wait for their acknowledgement.
    public static let maximumPending = 64

    private enum Phase {
        case waiting(Duration)
        case connected(Transport)
        case ended
    }

    private let loop: EventLoop
    private let timeout: Duration
    private var address: RoomAddress
    private var phase = Phase.waiting(.zero)
    private var link = WebSocketLink()
    private var progress = RoomProgress()
    private var policy = ReconnectPolicy()
    private var generator = SystemRandomNumberGenerator()
    private var queue: [RoomEvent] = []
    /// Where a `moved` points, until the close that follows it.
    private var destination: RoomAddress?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// `timeout` bounds each attempt to connect.
    public init(_ address: RoomAddress, timeout: Duration = .seconds(30)) throws(ClientError) {
        self.init(address, loop: try ClientLoop.shared(), timeout: timeout)
    }

    package init(_ address: RoomAddress, loop: EventLoop, timeout: Duration) {
        self.address = address
        self.loop = loop
        self.timeout = timeout
    }

    public nonisolated var events: RoomEvents { RoomEvents(session: self) }

    /// The next event; nil after the last. For one reader at a time.
    public func next() async throws(ClientError) -> RoomEvent? {
        while true {
            if !queue.isEmpty { return queue.removeFirst() }
            switch phase {
            case .waiting(let wait): try await enter(after: wait)
            case .connected(let transport): try await read(transport)
            case .ended: return nil
            }
        }
    }

    /// Sends an ale, now or when the connection is back, until it is acknowledged. Returns its messageId;
    /// nil: too many wait already, or the session has ended.
    @discardableResult
    public func cheer() async -> String? {
        if case .ended = phase { return nil }
        let messageId = UUID.v4(using: &generator).description
        guard progress.add(messageId, limit: Self.maximumPending) else { return nil }
        if progress.isInRoom { send(messageId) }
        await flush()
        return messageId
    }

    /// Leaves the room, and says so to the server.
    public func leave() async {
        if case .connected(let transport) = phase {
            link.close(.normal)
            await transport.write(link.takeOutput())
            await transport.close()
        }
        if case .ended = phase { return }
        end(code: 1000, reason: "left")
    }

    // Connecting.

    private func enter(after wait: Duration) async throws(ClientError) {
        do throws(ClientError) {
            if wait > .zero { try await pause(wait) }
            let resumed = progress.resume
            let (transport, remainder) = try await connect(resuming: resumed)
            if case .ended = phase { return await transport.close() }
            phase = .connected(transport)
            await receive(remainder, transport)
        } catch {
            try entryFailed(error)
        }
    }

    private func connect(
        resuming: (epoch: String, since: Int64)?
    ) async throws(ClientError) -> (Transport, [UInt8]) {
        let (server, target, token) = try address.resolve(resuming: resuming)
        var nonce: [UInt8] = []
        for _ in 0..<16 { nonce.append(generator.next()) }
        let handshake = ClientHandshake(random: nonce, protocols: [Routes.socketVersion2])
        var headers = HTTPHeaders()
        for header in handshake.headers { headers.append(header.name, header.value) }
        if let token { headers.append("Authorization", "Bearer \(token)") }
        let http = HTTPClient(server: server, loop: loop, timeout: timeout)
        var reader = try await http.open(.get, target, headers: headers)
        let head = try await reader.head()
        guard head.status == 101 else {
            throw HTTPAnswer(head: head, body: try await reader.body()).refusal
        }
        do throws(ClientHandshake.Failure) {
            let version = try handshake.verify(
                status: head.status, values: head.headers.all, sha1: SHA1Digest.hash)
            guard version == Routes.socketVersion2 else {
                throw .badAnswer("it does not speak version 2 of the room's socket")
            }
        } catch {
            throw .unexpected("The server's WebSocket answer cannot be used: \(error).")
        }
        link = WebSocketLink()
        return (reader.transport, reader.takeRemainder())
    }

    private func entryFailed(_ error: ClientError) throws(ClientError) {
        let isBack = progress.hasBeenInRoom
        switch error {
        case .problem(let problem) where isBack && problem.name == .gone:
            end(code: 1000, reason: "the room closed")
        case .problem(let problem) where isBack && (problem.status == 429 || problem.status >= 500):
            interrupted(.backOff, reason: error.detail)
        case .network where isBack, .timedOut where isBack:
            interrupted(.backOff, reason: error.detail)
        case .problem, .network, .timedOut, .badAddress, .unexpected, .cancelled, .queueFull, .badMessage,
            .storage:
            phase = .ended
            throw error
        }
    }

    private func interrupted(_ advice: CloseAdvice, hint: Duration? = nil, reason: String) {
        progress.disconnected()
        if progress.isOver { return end(code: 1000, reason: "the room closed while the connection was away") }
        guard let wait = policy.wait(advice, hint: hint, using: &generator) else { return }
        queue.append(.interrupted(reason: reason, wait: wait))
        phase = .waiting(wait)
    }

    // Reading.

    private func read(_ transport: Transport) async throws(ClientError) {
        do throws(ClientError) {
            guard let bytes = try await transport.read() else {
                return closed(code: 1006, reason: "the server closed the connection")
            }
            await receive(bytes, transport)
        } catch {
            if case .ended = phase { return }
            if error == .cancelled {
                await leave()
                throw error
            }
            closed(code: 1006, reason: error.detail)
        }
    }

    private func receive(_ bytes: [UInt8], _ transport: Transport) async {
        await transport.setDeadline(progress.longestSilence)
        for event in link.receive(bytes) {
            switch event {
            case .message(let message): hear(message)
            case .closed(let code, let reason): closed(code: code, reason: reason)
            }
        }
        await transport.write(link.takeOutput())
        if case .connected = phase { return }
        await transport.close()
    }

    private func hear(_ bytes: [UInt8]) {
        guard let message = ServerMessage.read(bytes.span.bytes) else { return }
        switch message {
        case .handshake(let handshake?):
            let isResumed = progress.entered(handshake)
            policy.connected()
            queue.append(.connected(handshake, resumed: isResumed))
            for messageId in progress.pending { send(messageId) }
        case .aleResponse(let ale?):
            if progress.isNew(seq: ale.seq) { queue.append(.ale(ale)) }
        case .ack(let messageId, let seq):
            progress.acknowledged(messageId, seq: seq)
            queue.append(.acknowledged(messageId: messageId, seq: seq))
        case .presence(let member, let present):
            queue.append(.presence(member: member, present: present))
        case .members(let members):
            queue.append(.members(members))
        case .moved(let id, let url):
            destination = address.moved(to: id, url: url)
            queue.append(.moved(id))
        case .error(let code, let detail, let messageId):
            if let messageId { progress.drop(messageId) }
            queue.append(.refused(code: code, detail: detail, messageId: messageId))
        case .handshake(nil), .aleResponse(nil), .roomClosed, .unknown:
            break  // The close code says that the room closed; what is not known is ignored.
        }
    }

    private func closed(code: UInt16, reason: String) {
        let isMoved = destination != nil
        if let destination {
            address = destination
            self.destination = nil
            progress.moved()
        }
        switch CloseAdvice(code: code) {
        case .stop: end(code: code, reason: reason)
        case .backOff: interrupted(.backOff, hint: RetryAfter.read(reason), reason: reason)
        case .reconnect: interrupted(.reconnect, hint: RetryAfter.read(reason), reason: reason)
        // Without a place to go to, at once would be a loop.
        case .atOnce: interrupted(isMoved ? .atOnce : .reconnect, reason: reason)
        }
    }

    private func end(code: UInt16, reason: String) {
        phase = .ended
        progress.disconnected()
        queue.append(.closed(code: code, reason: reason))
    }

    private func send(_ messageId: String) {
        var text: [UInt8] = []
        ClientMessage.appendAle(room: nil, messageId: messageId, to: &text)
        link.send(text: text)
    }

    private func flush() async {
        if case .connected(let transport) = phase { await transport.write(link.takeOutput()) }
    }

    private func pause(_ wait: Duration) async throws(ClientError) {
        do { try await Task.sleep(for: wait) } catch { throw .cancelled }
    }
}
