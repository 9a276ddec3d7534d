import Contract
import Reactor
import SocketTesting

/// A receiver of webhooks, which records each message.
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
                // A repeated message has to be the same; a different type is kept beside the first.
                let type = before.map { $0.type == message.type ? $0.type : "\($0.type), \(message.type)" }
                heard[message.id] = (type ?? message.type, (before?.times ?? 0) + 1)
            }
            stream.write(
                Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8))
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(server.port)/\(path)" }

    /// Returns the type of the message with the id, if it has come.
    func type(of id: String) -> String? { heard.withLock { $0[id]?.type } }

    /// The number of messages that came more than once, and the number of all.
    var repeated: (messages: Int, of: Int) {
        heard.withLock { heard in (heard.values.count { $0.times > 1 }, heard.count) }
    }

    private struct Message {
        let id: String
        let type: String

        /// Reads a message; nil while the request is incomplete.
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
