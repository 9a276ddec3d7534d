import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import Testing

@Suite("A client that sends a POST again")
struct IdempotencyKeyTests {
    private static let quick = RetryPolicy(attempts: 3, pause: .zero, total: .seconds(600))
    private static let block = Block(
        registrationId: Sample.partner, name: "Ben", createdAt: Timestamp(seconds: 0))

    /// Returns a server whose blocks are answered by the closure, and the keys that came.
    private func server(
        _ answer: @escaping @Sendable (Int) -> HTTPResponse
    ) async throws -> (ScriptedServer, Lock<[String]>) {
        let keys = Lock<[String]>([])
        let server = try await ScriptedServer(.post, Routes.blocks) { request in
            let number = keys.withLock { keys in
                keys += request.head.headers.all("Idempotency-Key")
                return keys.count
            }
            return answer(number)
        }
        return (server, keys)
    }

    private static func problem(_ name: ProblemName, retryAfter: String = "0") -> HTTPResponse {
        var response = HTTPResponse.problem(name, "Later.")
        response.headers.append("Retry-After", retryAfter)
        return response
    }

    @Test("has one key for all attempts of a call, and another one for the next")
    func oneKey() async throws {
        let (server, keys) = try await server { number in
            switch number {
            case 1: Self.problem(.unavailable)
            case 2: Self.problem(.keyUnderWay)
            default: .json(Self.block, status: 201)
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t").retrying(Self.quick)
        #expect(try await api.block(Self.block.registrationId) == Self.block)
        #expect(try await api.block(Self.block.registrationId) == Self.block)
        let sent = keys.withLock { $0 }
        #expect(sent.count == 4 && Set(sent.prefix(3)).count == 1 && Set(sent).count == 2)
        for key in sent {
            #expect(key.hasPrefix("\"") && key.hasSuffix("\"") && key.utf8.count >= 24, "\(key)")
        }
        withExtendedLifetime(server) {}
    }

    @Test("sends the key that its program has stored")
    func ownKey() async throws {
        let (server, keys) = try await server { _ in .json(Self.block, status: 201) }
        let api = try APIClient(server: Server(server.url), token: "t")
        let key = APIClient.makeIdempotencyKey()
        _ = try await api.repeating(key).block(Self.block.registrationId)
        _ = try await api.repeating(#"a"b\c"#).block(Self.block.registrationId)
        #expect(keys.withLock { $0 } == ["\"\(key)\"", #""a\"b\\c""#])
        withExtendedLifetime(server) {}
    }

    @Test(
        "does not send it again where it was refused for good",
        arguments: [ProblemName.keyReused, .answerGone])
    func final(name: ProblemName) async throws {
        let (server, keys) = try await server { _ in Self.problem(name) }
        let api = try APIClient(server: Server(server.url), token: "t").retrying(Self.quick)
        let error = await #expect(throws: ClientError.self) {
            try await api.block(Self.block.registrationId)
        }
        #expect(error?.kind == "problem:\(name.rawValue)")
        #expect(keys.withLock { $0.count } == 1)
        withExtendedLifetime(server) {}
    }

    @Test("gets the answer where the connection died after the effect, which is there once")
    func lostAnswer() async throws {
        // The server keeps answers by their keys, and loses the first one.
        let kept = Lock<[String: String]>([:])
        let effects = Lock(0)
        let requests = Lock(0)
        let server = try await AnsweringServer { received, stream in
            let text = String(decoding: received, as: UTF8.self)
            guard text.contains("\r\n\r\n"), text.hasSuffix("}") else { return }
            let line = text.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
            let key = String(line ?? "")
            let body = kept.withLock { kept in
                if let known = kept[key] { return known }
                effects.withLock { $0 += 1 }
                let made = (try? JSON.encode(Self.block)).map { String(decoding: $0, as: UTF8.self) } ?? ""
                kept[key] = made
                return made
            }
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            if number == 1 { return stream.close() }
            stream.write(
                Array(
                    """
                    HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\
                    Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
                    """.utf8))
        }
        let api = try APIClient(server: Server("http://127.0.0.1:\(server.port)"), token: "t")
            .retrying(Self.quick)
        #expect(try await api.block(Self.block.registrationId) == Self.block)
        #expect(effects.withLock { $0 } == 1 && requests.withLock { $0 } == 2)
    }
}
