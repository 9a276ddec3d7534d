import Contract
import Reactor
import SocketTesting

/// A program that hears of notifications by webhooks, and says so each time.
final class WebhookReceiver: Sendable {
    /// The type of each message by its id, and how often it has come.
    private let heard: Lock<[String: (type: String, times: Int)]>
    private let server: AnsweringServer

    init() async throws {
        let heard = Lock([String: (type: String, times: Int)]())
        self.heard = heard
        server = try await AnsweringServer { received, stream in
            guard let message = Message(received) else { return }
            heard.withLock { heard in
                let before = heard[message.id]
                // One that comes again has to be the same; what differs is kept beside it.
                let type = before.map { $0.type == message.type ? $0.type : "\($0.type), \(message.type)" }
                heard[message.id] = (type ?? message.type, (before?.times ?? 0) + 1)
            }
            stream.write(
                Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8))
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)/\(path)" }

    /// What has come under the id, if anything.
    func type(of id: String) -> String? { heard.withLock { $0[id]?.type } }

    /// How many messages have come more than once, and how many there were.
    var repeated: (messages: Int, of: Int) {
        heard.withLock { heard in (heard.values.count { $0.times > 1 }, heard.count) }
    }

    private struct Message {
        let id: String
        let type: String

        /// Nil while the request is not whole.
        init?(_ request: [UInt8]) {
            let lines = String(decoding: request, as: UTF8.self).split(
                separator: "\r\n", omittingEmptySubsequences: false)
            guard let gap = lines.firstIndex(of: ""),
                let body = try? JSONValue.parse(Array(lines[(gap + 1)...].joined(separator: "\r\n").utf8)),
                let type = body["type"]?.string,
                let line = lines[..<gap].first(where: { $0.lowercased().hasPrefix("webhook-id: ") })
            else { return nil }
            id = String(line.dropFirst("webhook-id: ".count))
            self.type = type
        }
    }
}
