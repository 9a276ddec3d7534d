import Glibc
import Reactor

/// Standard input as it comes, without blocking the loop and without changing the descriptor for others. Loop
/// only.
final class StandardInput: EventHandler {
    private static let readSize = 4096

    private let loop: EventLoop
    private let body: (ArraySlice<UInt8>?) -> Void
    private var isWatching = false
    private var hasEnded = false

    /// Calls the body with the bytes of each read, and with nil at the end.
    init(on loop: EventLoop, _ body: @escaping (ArraySlice<UInt8>?) -> Void) {
        self.loop = loop
        self.body = body
    }

    func resume() {
        guard !isWatching && !hasEnded else { return }
        do throws(SystemError) {
            try loop.register(STDIN_FILENO, .readable, handler: self)
            isWatching = true
        } catch {
            // A file cannot be waited for, and need not be: it is always ready.
            isWatching = true
            readFile()
        }
    }

    func pause() {
        guard isWatching else { return }
        isWatching = false
        loop.unregister(STDIN_FILENO)
    }

    func ready(_ events: EventSet) { read() }

    /// Reads one piece in each turn of the loop.
    private func readFile() {
        loop.schedule(after: .zero) { [self] in
            guard isWatching else { return }
            read()
            readFile()
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.readSize)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        if count > 0 { return body(buffer[..<count]) }
        hasEnded = true
        pause()
        body(nil)
    }

    /// Returns the first line without its end, or the first bytes up to the limit.
    static func readLine(on loop: EventLoop, limit: Int) async -> String {
        let bytes = await readAll(on: loop, limit: limit, until: UInt8(ascii: "\n"))
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Returns everything up to the end, or the first bytes up to the limit; reads no further once the byte
    /// `last` has come.
    static func readAll(on loop: EventLoop, limit: Int, until last: UInt8? = nil) async -> [UInt8] {
        let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let input = StandardInput(on: loop) { bytes in
            guard let bytes else { return continuation.finish() }
            continuation.yield(Array(bytes))
        }
        input.resume()
        var all: [UInt8] = []
        for await chunk in chunks {
            all += chunk
            if all.count >= limit { break }
            if let last, chunk.contains(last) { break }
        }
        input.pause()
        return Array(all.prefix(limit))
    }
}
