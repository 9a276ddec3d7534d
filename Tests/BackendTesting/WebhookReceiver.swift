import Contract
import Crypto
import Reactor
import SocketTesting
import TestKit

/// A receiver of webhooks, on loopback.
final class WebhookReceiver: Sendable {
    struct Request: Sendable {
        /// The fields by their names in lower case.
        var headers: [String: String]
        var body: [UInt8]

        var id: String { headers["webhook-id"] ?? "" }

        func json() throws -> JSONValue { try JSONValue.parse(body) }

        /// Verifies the signature at `now`, in seconds since 1970; throws when the secret has not made it.
        func verify(_ secret: String, at now: Int64) throws {
            try WebhookSignature.verify(
                headers["webhook-signature"] ?? "", id: id, timestamp: headers["webhook-timestamp"] ?? "",
                body: body, secret: try WebhookSecret(secret), at: now)
        }
    }

    let url: String
    /// The requests in the order of their arrival.
    let requests: AsyncStream<Request>
    private let server: AnsweringServer

    /// Starts the receiver. `answer` returns the status line and the fields for each request, by its number;
    /// `body` the body.
    init(
        _ answer: @escaping @Sendable (Int) -> String = { _ in "200 OK" },
        body: @escaping @Sendable (Int) -> String = { _ in "" }
    ) async throws {
        let (stream, continuation) = AsyncStream<Request>.makeStream()
        requests = stream
        let count = Lock(0)
        server = try await AnsweringServer { received, stream in
            guard let request = Self.read(received) else { return }
            let number = count.countUp()
            continuation.yield(request)
            let body = body(number)
            let head =
                "HTTP/1.1 \(answer(number))\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n"
            stream.write(Array((head + body).utf8))
        }
        url = "http://127.0.0.1:\(server.port)/hook"
    }

    /// Reads a request; nil while it is incomplete.
    private static func read(_ bytes: [UInt8]) -> Request? {
        let gap = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: gap) else { return nil }
        var headers: [String: String] = [:]
        for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(
                line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = Array(bytes[(end + gap.count)...])
        guard let length = headers["content-length"].flatMap({ Int($0) }), body.count >= length else {
            return nil
        }
        return Request(headers: headers, body: body)
    }
}
