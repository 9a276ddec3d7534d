import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import Testing

@Suite("Requests and their answers")
struct RequestTests {
    @Test("a hundred pipelined requests are answered in order, by whichever handlers")
    func pipelining() async throws {
        let fixture = try await Fixture()
        var text = ""
        for number in 0..<100 { text += request("GET /\(number % 3 == 0 ? "later" : "now")/\(number)") }
        text += request("GET /now/last", "Connection: close")
        let responses = try await fixture.exchange(text)
        #expect(responses.map(\.text) == (0..<100).map(String.init) + ["last"])
        #expect(responses.allSatisfy { $0.status == 200 })
    }

    @Test("pipelined requests that arrive in pieces are answered in order")
    func pieces() async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        var text = ""
        for number in 0..<20 { text += request("GET /\(number % 2 == 0 ? "later" : "now")/\(number)") }
        text += request("GET /now/last", "Connection: close")
        for character in text.utf8 { await peer.send([character]) }
        let responses = try Response.read(try await peer.readToEnd())
        #expect(responses.map(\.text) == (0..<20).map(String.init) + ["last"])
    }

    @Test("a connection is kept until the client asks for its end")
    func keepAlive() async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        for number in 0..<3 {
            await peer.send(request("GET /now/n\(number)"))
            let answer = try await peer.take(until: "n\(number)")
            #expect(!answer.lowercased().contains("connection:"))
            #expect(answer.lowercased().contains("x-request-id: "))
            #expect(answer.lowercased().contains("date: "))
        }
        await peer.send(request("GET /later/end", "Connection: close"))
        let last = try Response.read(try await peer.readToEnd())
        #expect(last.first?.head.headers.first("connection") == "close")
    }

    @Test("HTTP/1.0 ends after one answer, but where it asks to be kept")
    func version10() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.exchange("GET /now/x HTTP/1.0\r\n\r\n").first?.text == "x")
        let kept = try await fixture.exchange(
            "GET /now/x HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /now/y HTTP/1.0\r\n\r\n")
        #expect(kept.map(\.text) == ["x", "y"])
        #expect(kept.first?.head.headers.first("connection") == "keep-alive")
    }

    @Test("HEAD is GET without the body, and OPTIONS tells what there is")
    func headAndOptions() async throws {
        let fixture = try await Fixture()
        let responses = try await fixture.exchange(
            request("HEAD /now/four") + request("OPTIONS /now/x") + request("OPTIONS *")
                + request("GET /now/x", "Connection: close"), .head, .options, .options, .get)
        #expect(responses.map(\.status) == [200, 204, 204, 200])
        #expect(responses.map(\.text) == ["", "", "", "x"])
        #expect(responses[0].head.headers.first("content-length") == "4")
        #expect(responses[1].head.headers.first("allow") == "GET, HEAD, OPTIONS")
    }

    @Test(
        "what is not served is refused in the service's words, and the connection goes on",
        arguments: [
            ("GET /nothing", 404, "not found"), ("GET /now/", 404, "not found"),
            ("DELETE /now/x", 405, "not allowed"),
            ("GET /now/%ff", 400, "bad target"), ("GET /now/x?q=%ff", 400, "bad target"),
        ])
    func refused(line: String, status: Int, text: String) async throws {
        let fixture = try await Fixture()
        let responses = try await fixture.exchange(
            request(line) + request("GET /now/x", "Connection: close"))
        #expect(responses.map(\.status) == [status, 200])
        #expect(responses.first?.text == text)
        if status == 405 { #expect(responses.first?.head.headers.first("allow") == "GET, HEAD, OPTIONS") }
    }

    @Test(
        "what cannot be read is refused, and ends the connection",
        arguments: [
            ("GET  /now/x HTTP/1.1\r\n\r\n", 400), ("GET /now/x HTTP/1.1\r\n\r\n", 400), ("\u{0}\r\n", 400),
            ("GET /now/x HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("GET /now/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n", 417),
        ])
    func unreadable(text: String, status: Int) async throws {
        let fixture = try await Fixture()
        let responses = try await fixture.exchange(text + request("GET /now/x"))
        #expect(responses.map(\.status) == [status])
        #expect(responses.first?.head.headers.first("connection") == "close")
    }

    @Test("a head over its limits is refused before it has ended")
    func tooLong() async throws {
        let fixture = try await Fixture()
        let long = String(repeating: "a", count: 20_000)
        #expect(try await fixture.exchange("GET /\(long)").map(\.status) == [414])
        let fields = "GET / HTTP/1.1\r\nHost: a\r\n"
        #expect(try await fixture.exchange(fields + "A: \(long)").map(\.status) == [431])
        let many = String(repeating: "A: b\r\n", count: 101)
        #expect(try await fixture.exchange(fields + many).map(\.status) == [431])
    }

    @Test("bodies come back whole, by length and in chunks, at once and later")
    func bodies() async throws {
        let fixture = try await Fixture()
        let long = String(repeating: "0123456789", count: 20_000)
        let responses = try await fixture.exchange(
            request("POST /echo", "Content-Length: 5") + "hello"
                + request("POST /later-echo", "Transfer-Encoding: chunked")
                + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"
                + request("POST /later-echo", "Content-Length: 200000") + long
                + request("POST /echo", "Connection: close", "Content-Length: 0"))
        #expect(responses.map(\.text) == ["hello", "abcde", long, ""])
    }

    @Test("a body over the limit is refused on its announcement, before it is sent")
    func announced() async throws {
        let fixture = try await Fixture()
        let fits = try await fixture.exchange(
            request("POST /short-echo", "Content-Length: 10", "Connection: close") + "0123456789")
        #expect(fits.map(\.text) == ["0123456789"])
        let line = "POST /short-echo"
        #expect(try await fixture.exchange(request(line, "Content-Length: 11")).map(\.status) == [413])
        let waiting = try await fixture.exchange(
            request(line, "Content-Length: 11", "Expect: 100-continue"))
        #expect(waiting.map(\.status) == [413])
        let chunked = try await fixture.exchange(
            request(line, "Transfer-Encoding: chunked") + "6\r\nabcdef\r\n6\r\n")
        #expect(chunked.map(\.status) == [413])
    }

    @Test(
        "a route that declares no body takes none, whatever the method",
        arguments: ["GET /now/x", "HEAD /now/x", "OPTIONS /echo", "OPTIONS *"])
    func noBody(line: String) async throws {
        let fixture = try await Fixture()
        for framing in ["Content-Length: 1", "Transfer-Encoding: chunked"] {
            let responses = try await fixture.exchange(
                request(line, framing) + (framing.hasPrefix("T") ? "1\r\n" : ""),
                line.hasPrefix("HEAD") ? .head : .get)
            #expect(responses.map(\.status) == [413], "\(framing)")
        }
        let empty = try await fixture.exchange(
            request(line, "Transfer-Encoding: chunked", "Connection: close") + "0\r\n\r\n",
            line.hasPrefix("HEAD") ? .head : .get)
        #expect(empty.map(\.status) == [line.hasPrefix("OPTIONS") ? 204 : 200])
    }

    @Test("some requests may have larger bodies than others, each up to its own limit")
    func ownLimit() async throws {
        let fixture = try await Fixture()
        var router = Router()
        for (path, body) in [("/large", 20), ("/small", 10), ("/closed", 20)] {
            router.immediate(.post, path, body: body) { HTTPResponse(status: 200, body: $0.body) }
        }
        await fixture.server.serve(
            HTTPService(
                router: router, refuse: { _, _, _ in HTTPResponse(status: 413) },
                bodyLimit: { _, pattern in pattern == "/closed" ? 0 : nil }))
        let body = String(repeating: "x", count: 20)
        // The limit of a request is not that of the next one on its connection.
        let responses = try await fixture.exchange(
            request("POST /large", "Content-Length: 20") + body + request("POST /small", "Content-Length: 11")
        )
        #expect(responses.map(\.status) == [200, 413] && responses.first?.text == body)
        let beyond = try await fixture.exchange(request("POST /large", "Content-Length: 21"))
        #expect(beyond.map(\.status) == [413])
        let closed = try await fixture.exchange(request("POST /closed", "Content-Length: 1"))
        #expect(closed.map(\.status) == [413])
    }

    @Test("who waits for a word before the body gets it, and only then")
    func expectContinue() async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        await peer.send(request("POST /echo", "Content-Length: 4", "Expect: 100-continue"))
        try await peer.take(until: "HTTP/1.1 100 Continue\r\n\r\n")
        await peer.send("body")
        #expect(try await peer.take(until: "\r\n\r\nbody").hasPrefix("HTTP/1.1 200"))
        await peer.send(
            request("POST /echo", "Content-Length: 4", "Expect: 100-continue", "Connection: close") + "here")
        let answer = String(decoding: try await peer.readToEnd(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 200"))
    }

    @Test("a client that has closed its half gets every answer that it asked for")
    func halfClosed() async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        await peer.send(
            request("GET /later/1") + request("GET /later/2") + request("GET /now/3")
                + request("GET /later/4"))
        await peer.finish()
        let responses = try Response.read(try await peer.readToEnd())
        #expect(responses.map(\.text) == ["1", "2", "3", "4"])
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }

    @Test("half a request and an end are no request")
    func truncated() async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        await peer.send(request("GET /later/1") + "GET /now/2 HT")
        await peer.finish()
        let responses = try Response.read(try await peer.readToEnd())
        #expect(responses.map(\.text) == ["1"])
        #expect(await fixture.server.waitUntilEmpty(timeout: .seconds(60)))
    }
}
