import Codecs
import Reactor
import SocketTesting

/// A receiver of webhooks that takes up to a quarter of a second for each, so that servers are killed between
/// the request and its response. It records the ids of messages, and how often they came.
final class SlowReceiver: Sendable {
    private struct Receipts {
        /// The number of receptions, by path and id.
        var times: [String: [String: Int]] = [:]
        /// The instant of the last reception, by path.
        var latest: [String: ContinuousClock.Instant] = [:]
        var shortestGap: Duration?

        /// Records a request; returns the number of paths with a reception.
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
    /// A stream that ends as soon as each of the expected paths has a reception.
    private let completion: AsyncStream<Void>

    /// Starts the receiver. `paths` is the number of expected paths.
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

    /// Returns when every expected path has a reception, or the task is cancelled.
    func waitUntilComplete() async { for await _ in completion {} }

    /// The number of paths with a reception.
    var paths: Int { receipts.withLock { $0.times.count } }

    /// Returns the ids that were received at the path.
    func ids(at path: String) -> Set<String> { receipts.withLock { Set($0.times[path, default: [:]].keys) } }

    /// Returns the number of deliveries whose number of receptions satisfies the condition.
    func deliveries(received times: (Int) -> Bool) -> Int {
        receipts.withLock { receipts in receipts.times.values.count { times($0.values.reduce(0, +)) } }
    }

    /// The shortest interval between two receptions at the same path; nil when nothing came twice.
    var shortestGap: Duration? { receipts.withLock { $0.shortestGap } }

    private static let answer = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

    private struct Request {
        let path: String
        let id: String

        /// Reads a request; nil while it is incomplete.
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
