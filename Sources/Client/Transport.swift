import Reactor

/// A connection to the server: bytes out, and bytes in for one reader. It lives on one loop.
///
/// It closes when it is told to, when its deadline passes, when its reader is cancelled, and when it goes
/// away.
actor Transport {
    /// What may wait for the reader; past it, the socket is not read.
    private static let highWater = 256 * 1024

    private typealias Reader = CheckedContinuation<Result<[UInt8]?, ClientError>, Never>

    nonisolated let loop: EventLoop
    private var connection: LoopBound<Stream>?
    private var incoming: [UInt8] = []
    private var hasEnded = false
    private var failure: ClientError?
    private var waiter: Reader?
    private var timer: EventLoop.Timer?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ loop: EventLoop) { self.loop = loop }

    deinit {
        guard let connection else { return }
        loop.execute { connection.value.close() }
    }

    private var stream: Stream? { connection?.value }

    /// Tries every address of the host in turn.
    static func connect(
        host: String, port: UInt16, on loop: EventLoop, timeout: Duration
    ) async throws(ClientError) -> Transport {
        let addresses: [SocketAddress]
        do throws(Resolver.Failure) {
            addresses = try await Resolver.resolve(host, port: port, on: loop, timeout: timeout)
        } catch {
            throw .network("\(host) cannot be found: \(error).")
        }
        let transport = Transport(loop)
        var last = ClientError.network("\(host) has no address.")
        for address in addresses {
            do throws(SystemError) {
                try await transport.open(address, timeout)
                return transport
            } catch {
                last = .network("\(address) cannot be reached: \(error).")
            }
            if Task.isCancelled { throw .cancelled }
        }
        throw last
    }

    /// What is written leaves at the end of the loop's turn.
    func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { stream?.write(bytes) }
    }

    /// The next bytes; nil: the server sends no more. For one reader at a time.
    func read() async throws(ClientError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { answer($0) }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.end(.cancelled) } }
        }
        return try result.get()
    }

    /// At once where there is something to say, else when there is.
    private func answer(_ continuation: Reader) {
        if !incoming.isEmpty {
            continuation.resume(returning: .success(takeIncoming()))
        } else if let failure {
            continuation.resume(returning: .failure(failure))
        } else if hasEnded {
            continuation.resume(returning: .success(nil))
        } else {
            waiter = continuation
        }
    }

    /// Ends the connection that long from now, unless another deadline is set until then.
    func setDeadline(_ wait: Duration?) {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard let wait, stream != nil else { return }
        timer = loop.schedule(after: wait) { [weak self] in
            self?.assumeIsolated { $0.end(.timedOut) }
        }
    }

    /// Sends what was written, then closes.
    func close() {
        stream?.finishWriting()
        end(.cancelled)
    }

    private func open(_ address: SocketAddress, _ timeout: Duration) async throws(SystemError) {
        let result = await withCheckedContinuation { continuation in
            Connector(address, on: loop, timeout: timeout) { result in
                // On the loop, which is this actor's executor.
                continuation.resume(returning: self.adopt(result))
            }
        }
        try result.get()
    }

    private func adopt(_ result: Result<Stream, SystemError>) -> Result<Void, SystemError> {
        result.map { stream in
            stream.delegate = StreamRelay { [weak self] news in
                self?.assumeIsolated { $0.hear(news) }
            }
            connection = LoopBound(stream, to: loop)
        }
    }

    private func hear(_ news: StreamRelay.News) {
        switch news {
        case .bytes(let bytes):
            incoming.append(contentsOf: bytes)
            if waiter != nil {
                resume(.success(takeIncoming()))
            } else if incoming.count > Self.highWater {
                stream?.setPaused(true)
            }
        case .ended:
            hasEnded = true
            resume(.success(nil))
        case .failed(let error):
            end(.network("The connection broke: \(error)."))
        }
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
        resume(.failure(error))
    }

    private func resume(_ result: Result<[UInt8]?, ClientError>) {
        let waiter = waiter
        self.waiter = nil
        waiter?.resume(returning: result)
    }
}
