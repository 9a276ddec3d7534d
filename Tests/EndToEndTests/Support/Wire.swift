import Client
import Reactor
import TestKit

/// A connection on which a test writes and reads bytes.
actor Wire {
    private static let limit = Duration.seconds(120)

    nonisolated let loop: EventLoop
    private var connection: LoopBound<Stream>?
    private var incoming: [UInt8] = []
    private var hasEnded = false
    private var waiter: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ loop: EventLoop) { self.loop = loop }

    deinit {
        guard let connection else { return }
        loop.execute { connection.value.close() }
    }

    static func connect(port: UInt16) async throws -> Wire {
        let wire = Wire(TestLoops.next())
        try await wire.open(port)
        return wire
    }

    /// Opens a person's event stream, and returns once it has begun. The connection ends with it.
    static func events(of person: Person) async throws -> Wire {
        let wire = try await connect(port: person.api.server.port)
        await wire.write(
            "GET /v1/events HTTP/1.1\r\nHost: h\r\nConnection: close\r\n"
                + "Authorization: Bearer \(person.token)\r\n\r\n")
        let answer = String(decoding: try await wire.read() ?? [], as: UTF8.self)
        // Nothing in between may compress a stream, which delays events.
        guard answer.hasPrefix("HTTP/1.1 200 "), answer.contains(": no-store, no-transform\r\n") else {
            throw TestError(answer)
        }
        return wire
    }

    func write(_ bytes: [UInt8]) { connection?.value.write(bytes) }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Stops reading, or continues. While paused, the server's output piles up.
    func setPaused(_ paused: Bool) { connection?.value.setPaused(paused) }

    /// Returns the next bytes; nil when no more come. Throws when nothing comes for long.
    func read() async throws -> [UInt8]? {
        if incoming.isEmpty && !hasEnded {
            let timer = loop.schedule(after: Self.limit) { [weak self] in
                self?.assumeIsolated { $0.wake() }
            }
            await withCheckedContinuation { continuation in
                // The check is here, since nothing can arrive between it and the wait.
                if incoming.isEmpty && !hasEnded { waiter = continuation } else { continuation.resume() }
            }
            loop.cancel(timer)
        }
        if !incoming.isEmpty {
            defer { incoming = [] }
            return incoming
        }
        if hasEnded { return nil }
        throw TestError("nothing came in \(Self.limit)")
    }

    /// Returns everything up to the end.
    func readAll() async throws -> String {
        var bytes: [UInt8] = []
        while let more = try await read() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    func close() {
        connection?.value.close()
        connection = nil
    }

    private func open(_ port: UInt16) async throws {
        guard let address = SocketAddress(numeric: "127.0.0.1", port: port) else { throw CancellationError() }
        let result: Result<Void, SystemError> = await withCheckedContinuation { continuation in
            Connector(address, on: loop, timeout: Self.limit) { result in
                // This runs on the loop, which is this actor's executor.
                continuation.resume(returning: self.adopt(result))
            }
        }
        try result.get()
    }

    private func adopt(_ result: Result<Stream, SystemError>) -> Result<Void, SystemError> {
        result.map { stream in
            stream.delegate = Ear { [weak self] bytes in self?.assumeIsolated { $0.hear(bytes) } }
            connection = LoopBound(stream, to: loop)
        }
    }

    private func hear(_ bytes: [UInt8]?) {
        if let bytes { incoming += bytes } else { hasEnded = true }
        wake()
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    /// A delegate that passes on a stream's bytes; nil stands for its end, of whatever kind.
    private final class Ear: StreamDelegate {
        private let body: ([UInt8]?) -> Void

        init(_ body: @escaping ([UInt8]?) -> Void) { self.body = body }

        func received(_ bytes: inout MutableRawSpan) {
            // Sound: the buffer does not leave the closure.
            body(bytes.bytes.withUnsafeBytes { Array($0) })
        }

        func ended() { body(nil) }
        func failed(_ error: SystemError) { body(nil) }
        func drained() {}
    }
}
