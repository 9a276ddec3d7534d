import Contract
import Reactor
import TLS

/// A connection to the server, plain or TLS, with one reader of its bytes. It lives on one loop.
///
/// It closes on `close`, at its deadline, when its reader is cancelled, and when it is deinitialised.
actor Transport {
    /// The most bytes that wait for the reader; past it, the socket is not read.
    private static let highWater = 256 * 1024

    private typealias Reader = CheckedContinuation<Result<[UInt8]?, ClientError>, Never>

    nonisolated let loop: EventLoop
    /// The result of the TLS handshake; nil before its end, and for a plain connection.
    private(set) var peer: TLSPeer?
    /// The address that is connected; nil before.
    private(set) var address: SocketAddress?
    private var connection: LoopBound<any ByteStream>?
    private var incoming: [UInt8] = []
    /// The answer to the reader once the server sends no more.
    private var ended: Result<[UInt8]?, ClientError>?
    private var failure: ClientError?
    /// The end of the TLS handshake.
    private let agreement = PendingResult<Void>()
    private var waiter: Reader?
    private var timer: EventLoop.Timer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    deinit {
        guard let connection else { return }
        loop.execute { connection.value.close() }
    }

    private var stream: (any ByteStream)? { connection?.value }

    /// Connects to the first of the addresses that answers, and with a context completes the TLS handshake
    /// then. To be called once.
    func open(
        _ addresses: [SocketAddress], of server: Server, _ context: TLSContext?, _ timeout: Duration
    ) async throws(ClientError) {
        let start = ContinuousClock.now
        let result = await withCheckedContinuation { continuation in
            ConnectionRace(addresses, on: loop, timeout: timeout) { outcome in
                // The handler runs on the loop, which is this actor's executor.
                continuation.resume(
                    returning: self.adopt(outcome, server, server.proxy == nil ? context : nil))
            }
        }
        do throws(ConnectionRace.Failure) {
            try result.get()
        } catch {
            throw .network("\(error.address) cannot be reached: \(error.error).")
        }
        guard let context else { return }
        setDeadline(timeout - (ContinuousClock.now - start))
        if let proxy = server.proxy {
            try await tunnel(through: proxy, to: server)
            guard let stream = stream as? Reactor.Stream else { throw failure ?? .cancelled }
            // Bytes of the proxy must not be read as the server's.
            guard incoming.isEmpty, ended == nil else { throw .cancelled }
            secure(stream, server.host, context)
        }
        do throws(ClientError) {
            try await agreement.value()
        } catch {
            end(error)
            throw error
        }
        setDeadline(nil)
    }

    /// Queues bytes, which are sent at the end of the loop's turn.
    func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { stream?.write(bytes) }
    }

    /// Returns the next bytes; nil if the server sends no more. For one reader at a time.
    func read() async throws(ClientError) -> [UInt8]? {
        let result = await loop.suspend {
            answer($0)
        } onCancel: {
            self.assumeIsolated { $0.end(.cancelled) }
        }
        return try result.get()
    }

    /// Answers a reader at once if there is a result, else when there is one.
    private func answer(_ continuation: Reader) {
        if !incoming.isEmpty {
            continuation.resume(returning: .success(takeIncoming()))
        } else if let failure {
            continuation.resume(returning: .failure(failure))
        } else if let ended {
            continuation.resume(returning: ended)
        } else {
            waiter = continuation
        }
    }

    /// Ends the connection after that time, unless another deadline is set before.
    func setDeadline(_ wait: Duration?) {
        if let timer = timer.take() { loop.cancel(timer) }
        guard let wait, stream != nil else { return }
        timer = loop.schedule(after: wait) { [weak self] in
            self?.assumeIsolated { $0.end(.timedOut) }
        }
    }

    /// Sends the queued bytes, then closes.
    func close() {
        stream?.finishWriting()
        end(.cancelled)
    }

    private func adopt(
        _ outcome: ConnectionRace.Outcome, _ server: Server, _ context: TLSContext?
    ) -> Result<Void, ConnectionRace.Failure> {
        outcome.map { address, stream in
            self.address = address
            if let context { return secure(stream, server.host, context) }
            stream.delegate = StreamRelay { [weak self] event in
                self?.assumeIsolated { $0.hear(event) }
            }
            connection = LoopBound(stream, to: loop)
        }
    }

    private func secure(_ stream: Reactor.Stream, _ host: String, _ context: TLSContext) {
        do throws(TLSError) {
            let session = try TLSSession(connectingTo: host, context)
            let secured = TLSStream(stream, session) { [weak self] event in
                self?.assumeIsolated { $0.hear(event) }
            }
            connection = LoopBound(secured, to: loop)
        } catch {
            stream.close()
            end(ClientError(error))
        }
    }

    private func hear(_ event: TLSStream.Event) {
        switch event {
        case .established(let peer):
            self.peer = peer
            agreement.settle(.success(()))
        case .received(let bytes): received(bytes)
        case .ended(let isClean): ended(isClean)
        case .failed(.tls(let error)): end(ClientError(error))
        case .failed(.socket(let error)): end(.network("The connection broke: \(error)."))
        case .drained: break
        }
    }

    private func received(_ bytes: [UInt8]) {
        incoming.append(contentsOf: bytes)
        if waiter != nil {
            resume(.success(takeIncoming()))
        } else if incoming.count > Self.highWater {
            stream?.setPaused(true)
        }
    }

    /// Takes the end of the server's bytes. Without a closure of TLS they may be incomplete.
    private func ended(_ isClean: Bool) {
        let cut: Text = "The connection ended without a word, so what came may have been cut off."
        let end: Result<[UInt8]?, ClientError> = isClean ? .success(nil) : .failure(.network(cut))
        ended = end
        resume(end)
    }

    private func takeIncoming() -> [UInt8] {
        defer { incoming = [] }
        stream?.setPaused(false)
        return incoming
    }

    private func end(_ error: ClientError) {
        setDeadline(nil)
        stream?.close()
        connection = nil
        if failure == nil { failure = error }
        agreement.settle(.failure(error))
        resume(.failure(error))
    }

    private func resume(_ result: Result<[UInt8]?, ClientError>) {
        waiter.take()?.resume(returning: result)
    }
}
