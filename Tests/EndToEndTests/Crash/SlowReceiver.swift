import Codecs
import Reactor
import SocketTesting

/// A program that takes webhooks and takes its time: up to a quarter of a second for each, so that servers
/// die between sending and hearing. It keeps under which ids something came, and how often.
final class SlowReceiver: Sendable {
    private struct Receipts {
        /// By path: how often something came, by its id.
        var times: [String: [String: Int]] = [:]
        /// By path: when something came last.
        var latest: [String: ContinuousClock.Instant] = [:]
        var shortestGap: Duration?

        /// Answers how many paths something has come for.
        mutating func note(_ request: Request) -> Int {
            times[request.path, default: [:]][request.id, default: 0] += 1
            let now = ContinuousClock.now
            if let before = latest.updateValue(now, forKey: request.path) {
                shortestGap = min(shortestGap ?? now - before, now - before)
            }
            return times.count
        }
    }

    private static let slowness: Int64 = 250

    private let receipts: Lock<Receipts>
    private let server: AnsweringServer
    /// Ends as soon as something has come for each of the paths that are waited for.
    private let completion: AsyncStream<Void>

    /// `paths`: how many different ones are waited for.
    init(paths: Int, seed: UInt64) async throws {
        let receipts = Lock(Receipts())
        self.receipts = receipts
        let (completion, continuation) = AsyncStream<Void>.makeStream()
        self.completion = completion
        let dice = Lock(SplitMix64(seed: seed))
        server = try await AnsweringServer { received, stream in
            guard let request = Request(received) else { return }
            let count = receipts.withLock { $0.note(request) }
            if count == paths { continuation.finish() }
            let delay = dice.withLock { Int64.random(in: 0..<Self.slowness, using: &$0) }
            _ = stream.loop.schedule(after: .milliseconds(delay)) { stream.write(Self.answer) }
        }
    }

    var authority: String { "127.0.0.1:\(server.port)" }

    /// Returns also where the task is cancelled.
    func waitUntilComplete() async { for await _ in completion {} }

    /// How many paths something has come for.
    var paths: Int { receipts.withLock { $0.times.count } }

    /// The ids under which something has come for the path.
    func ids(at path: String) -> Set<String> { receipts.withLock { Set($0.times[path, default: [:]].keys) } }

    /// How many deliveries have come that often.
    func deliveries(received times: (Int) -> Bool) -> Int {
        receipts.withLock { receipts in receipts.times.values.count { times($0.values.reduce(0, +)) } }
    }

    /// Between two times that something came for the same path; nil where nothing came twice.
    var shortestGap: Duration? { receipts.withLock { $0.shortestGap } }

    private static let answer = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    private struct Request {
        let path: String
        let id: String

        /// Nil as long as it is not whole.
        init?(_ bytes: [UInt8]) {
            let gap = Array("\r\n\r\n".utf8)
            guard let end = bytes.firstRange(of: gap) else { return nil }
            let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
            func field(_ name: String) -> Substring? {
                lines.first { $0.lowercased().hasPrefix(name) }?.split(separator: " ").last
            }
            guard let path = lines.first?.split(separator: " ").dropFirst().first,
                let id = field("webhook-id:"), let length = field("content-length:").flatMap({ Int($0) }),
                bytes.count >= end + gap.count + length
            else { return nil }
            self.path = String(path)
            self.id = String(id)
        }
    }
}
