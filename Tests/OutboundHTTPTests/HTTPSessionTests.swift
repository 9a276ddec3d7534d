import OutboundHTTP
import Reactor
import SocketTesting
import TLSTesting
import TestKit
import Testing

@Suite struct HTTPSessionTests {
    /// Runs the body with a session, and closes the session.
    private func with<Value: Sendable>(
        _ configuration: HTTPSessionConfiguration = HTTPSessionConfiguration(),
        _ body: (HTTPSession) async throws -> Value
    ) async throws -> Value {
        let session = try #require(HTTPSession(configuration, on: TestLoops.nextPeer()))
        let result: Result<Value, any Error>
        do { result = .success(try await body(session)) } catch { result = .failure(error) }
        await session.close()
        return try result.get()
    }

    private func request(_ url: String, body: String = "{}") -> OutboundRequest {
        OutboundRequest(
            url: url, headers: [("content-type", "application/json"), ("x-test", "yes")],
            body: Array(body.utf8))
    }

    /// Returns the error, if it is an `OutboundError`.
    private func failure(_ body: () async throws -> OutboundResponse) async -> OutboundError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? OutboundError
        }
    }

    private static func has(_ received: [UInt8], _ text: String) -> Bool {
        received.firstRange(of: Array(text.utf8)) != nil
    }

    private static let ok = Array("HTTP/1.1 204 Fine\r\nRetry-After:  7 \r\nContent-Length: 0\r\n\r\n".utf8)

    @Test("a request arrives as it was written, and the answer comes back")
    func exchange() async throws {
        let seen = Signal<String>()
        let server = try await AnsweringServer { received, stream in
            guard Self.has(received, "\"morning\"") else { return }
            seen.send(String(decoding: received, as: UTF8.self))
            stream.write(Self.ok)
        }
        let response = try await with { session in
            try await session.perform(
                request("http://127.0.0.1:\(server.port)/hook?x=1", body: "\"morning\""))
        }
        #expect(response.status == 204)
        #expect(response.header("retry-after") == "7")
        let text = await seen.value()
        #expect(text.hasPrefix("POST /hook?x=1 HTTP/1.1\r\n"))
        #expect(text.contains("\r\nx-test: yes\r\n"))
        #expect(!text.lowercased().contains("expect:"))
    }

    @Test("a hundred at once get their own answers, and connections are used again")
    func many() async throws {
        let server = try await AnsweringServer { received, stream in
            // The received bytes are those of the whole connection; its last request ends in its number.
            let text = String(decoding: received, as: UTF8.self)
            guard let body = text.components(after: "#").last, body.hasSuffix("!") else { return }
            let answer = String(body.dropLast())
            stream.write(
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)".utf8))
        }
        let url = "http://127.0.0.1:\(server.port)/"
        try await with { session in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let response = try await session.perform(request(url, body: "#\(number)!"))
                        return String(decoding: response.body, as: UTF8.self) == "\(number)"
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test("a redirect is an answer like others, and is not followed")
    func redirect() async throws {
        let server = try await AnsweringServer { _, stream in
            stream.write(
                Array("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n".utf8)
            )
        }
        let response = try await with { try await $0.perform(request("http://127.0.0.1:\(server.port)/")) }
        #expect(response.status == 302)
    }

    @Test("a body without an end is cut off, and its status counts")
    func endlessBody() async throws {
        let server = try await AnsweringServer { _, stream in
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n".utf8))
            stream.write([UInt8](repeating: 120, count: 1 << 20))
        }
        let response = try await with { try await $0.perform(request("http://127.0.0.1:\(server.port)/")) }
        #expect(response.status == 200)
        #expect(response.body.count == HTTPSessionConfiguration().maximumBody)
    }

    @Test("a header without an end is cut off")
    func endlessHeader() async throws {
        let server = try await AnsweringServer { _, stream in
            let line = "x-filler: " + String(repeating: "y", count: 1_000) + "\r\n"
            stream.write(Array(("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 40)).utf8))
        }
        let error = try await with { session in
            await failure { try await session.perform(request("http://127.0.0.1:\(server.port)/")) }
        }
        #expect(error == .tooLarge)
    }

    @Test("a header of one long line is too large, and not a want of memory")
    func longHeaderLine() async throws {
        let server = try await AnsweringServer { _, stream in
            let line = "x-filler: " + String(repeating: "y", count: 300_000) + "\r\n\r\n"
            stream.write(Array(("HTTP/1.1 200 OK\r\n" + line).utf8))
        }
        let error = try await with { session in
            await failure { try await session.perform(request("http://127.0.0.1:\(server.port)/")) }
        }
        #expect(error == .tooLarge)
    }

    @Test("an answer that drips is given up when the time is over")
    func drip() async throws {
        let dripped = Lock(0)
        let server = try await AnsweringServer { _, stream in
            stream.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8))
            Self.drip(stream, dripped)
        }
        let error = try await with { session in
            var slow = request("http://127.0.0.1:\(server.port)/")
            slow.timeout = .milliseconds(300)
            return await failure { [slow] in try await session.perform(slow) }
        }
        #expect(error == .timedOut)
        #expect(dripped.withLock { $0 } > 1)
    }

    /// Writes a byte now and then, until the stream is closed.
    private static func drip(_ stream: Reactor.Stream, _ count: Lock<Int>) {
        count.withLock { $0 += 1 }
        stream.write([120])
        _ = stream.loop.schedule(after: .milliseconds(20)) { [weak stream] in
            if let stream { drip(stream, count) }
        }
    }

    @Test("a request may take fifteen seconds")
    func patience() {
        #expect(request("http://127.0.0.1/").timeout == .seconds(15))
    }

    @Test("a name that is pinned to another address later goes there")
    func pinnedAnew() async throws {
        let server = try await AnsweringServer { _, stream in
            stream.write(
                Array("HTTP/1.1 201 A\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        let port = server.port
        let other = try Listener(binding: try #require(SocketAddress(numeric: "127.0.0.2", port: port)))
        let codes = try await with { session in
            var codes: [String] = []
            for address in ["127.0.0.1", "127.0.0.2", "127.0.0.1"] {
                var pinned = request("http://hooks.example.org:\(port)/")
                pinned.pin = OutboundRequest.Pin(
                    host: "hooks.example.org", port: port, addresses: [address])
                pinned.timeout = .milliseconds(500)
                do {
                    codes.append("\(try await session.perform(pinned).status)")
                } catch {
                    codes.append("\(error)")
                }
            }
            return codes
        }
        // No server accepts at the other address.
        _ = other.address
        #expect(codes == ["201", "no answer in time", "201"])
    }

    @Test("a port without listener, and an answer that is no HTTP, are named")
    func rubbish() async throws {
        let silent = try ReservedPort()
        let server = try await AnsweringServer { _, stream in
            stream.write(Array("SSH-2.0-OpenSSH\r\n".utf8))
            stream.close()
        }
        try await with { session in
            for port in [silent.number, server.port] {
                let error = await failure { try await session.perform(request("http://127.0.0.1:\(port)/")) }
                guard case .unreachable = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test(
        "other schemes and rubbish are not asked for",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "", "http://"])
    func schemes(url: String) async throws {
        let error = try await with { session in await failure { try await session.perform(request(url)) } }
        guard case .senseless = error else { throw TestError("\(String(describing: error))") }
    }

    @Test(
        "an answer that is not valid HTTP is an error of the answer, and not of the request",
        arguments: [
            ("hello", .garbled), ("HTTP/7.7 200 OK\r\n\r\n", .garbled), ("HTTP/1.1 abc\r\n\r\n", .garbled),
            ("HTTP/3 200 OK\r\n\r\n", .garbled), ("HTTP/1.1 99999 No\r\n\r\n", .garbled),
            ("HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n", .garbled),
            ("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", .garbled),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13\r\n\r\nx", .garbled),
            ("HTTP/1.1 302 No\r\nLocation: ftp://[::/%\r\nContent-Length: many\r\n\r\n", .garbled),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                .unreachable("Failure when receiving data from the peer")
            ),
            ("HTTP/1.1 200 OK\r\n" + String(repeating: "x: y\r\n", count: 4_000), .tooLarge),
        ] as [(String, OutboundError)])
    func garbled(answer: String, expected: OutboundError) async throws {
        let server = try await AnsweringServer { received, stream in
            guard Self.has(received, "{}") else { return }
            stream.write(Array(answer.utf8))
            stream.finishWriting()
        }
        let error = try await with { session in
            await failure { try await session.perform(request("http://127.0.0.1:\(server.port)/")) }
        }
        #expect(error == expected)
    }

    @Test("a pinned name stands for the addresses given, whatever the name service says")
    func pin() async throws {
        let server = try await AnsweringServer { _, stream in stream.write(Self.ok) }
        var pinned = request("http://hooks.example.org:\(server.port)/")
        pinned.pin = OutboundRequest.Pin(
            host: "hooks.example.org", port: server.port, addresses: ["127.0.0.1"])
        let response = try await with { [pinned] session in try await session.perform(pinned) }
        #expect(response.status == 204)
    }

    private static let authority = TestAuthority()

    @Test(
        "a certificate that is not to be trusted is refused, and the cause is named",
        arguments: [
            (authority.issue(days: -9 ... -2), "the certificate has expired"),
            (authority.issue(days: 2...9), "the certificate is not valid yet"),
            (authority.issue("DNS:elsewhere.example.org"), "the certificate is for another name"),
            (TestAuthority.selfSigned(), "the certificate is signed by itself"),
            (
                TestAuthority(name: "Nobody").issue(),
                "the certificate is signed by an authority that is not trusted"
            ),
        ] as [(Identity, String)])
    func certificates(identity: Identity, cause: String) async throws {
        let roots = TemporaryFile(Self.authority.pem)
        var configuration = HTTPSessionConfiguration()
        configuration.authorities = roots.path
        let server = try await TLSEndpoint(identity) { _, _ in }
        for host in ["127.0.0.1", "localhost"] {
            let error = try await with(configuration) { session in
                var asked = request("https://\(host):\(server.port)/")
                if host == "localhost" {
                    asked.pin = OutboundRequest.Pin(host: host, port: server.port, addresses: ["127.0.0.1"])
                }
                return await failure { try await session.perform(asked) }
            }
            #expect(error == .untrusted(cause), "\(host)")
        }
    }

    @Test("an abandoned request is given up, and so are all when the session closes")
    func cancellation() async throws {
        let arrived = Signal<Void>()
        let server = try await AnsweringServer { _, _ in arrived.send() }
        let url = "http://127.0.0.1:\(server.port)/"
        let errors = try await with { session in
            let waiting = Task { await failure { try await session.perform(request(url)) } }
            await arrived.value()
            waiting.cancel()
            let first = await waiting.value
            let other = Task { await failure { try await session.perform(request(url)) } }
            await session.close()
            return [first, await other.value]
        }
        #expect(errors == [.cancelled, .cancelled])
    }
}

extension String {
    fileprivate func components(after mark: Character) -> [Substring] {
        split(separator: mark, omittingEmptySubsequences: false).dropFirst().map { $0 }
    }
}
