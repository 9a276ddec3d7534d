import HTTP1
import SocketTesting
import Testing

/// Tests of RFC 9110 §10.1.1: a 100 is sent only where a body is wanted.
@Suite("A client that waits for a word before its body")
struct ContinueTests {
    private static let refused: [(String, Int)] = [
        ("POST /nothing", 404), ("PUT /echo", 405), ("TRACE /echo", 405), ("POST /%ff", 400),
        ("POST /now/%C3", 400), ("POST /echo?a=%ff", 400),
    ]

    @Test("is refused at once where the answer is an error whatever the body", arguments: refused)
    func atOnce(line: String, status: Int) async throws {
        let fixture = try await Fixture()
        for framing in ["Content-Length: 4", "Transfer-Encoding: chunked"] {
            let peer = try await fixture.connect()
            await peer.send(request(line, framing, "Expect: 100-continue"))
            let bytes = try await peer.readToEnd()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("100 Continue"))
            let responses = try Response.read(bytes)
            #expect(responses.map(\.status) == [status])
            #expect(responses.first?.head.headers.first("connection") == "close")
        }
    }

    @Test("that has not waited is answered behind its body, and the connection goes on", arguments: refused)
    func notWaiting(line: String, status: Int) async throws {
        let fixture = try await Fixture()
        let responses = try await fixture.exchange(
            request(line, "Content-Length: 4", "Expect: 100-continue") + "body"
                + request("GET /now/x", "Connection: close"))
        #expect(responses.map(\.status) == [status, 200])
    }

    @Test(
        "is given the word where the body is wanted",
        arguments: ["POST /echo", "POST /later-echo"])
    func wanted(line: String) async throws {
        let fixture = try await Fixture()
        let peer = try await fixture.connect()
        await peer.send(request(line, "Content-Length: 4", "Expect: 100-continue", "Connection: close"))
        try await peer.take(until: "HTTP/1.1 100 Continue\r\n\r\n")
        await peer.send("body")
        let response = try Response.read(try await peer.readToEnd()).first
        #expect(response?.status == 200)
    }

    @Test("and is told at once that it asks for too much, or for something else")
    func tooMuch() async throws {
        let fixture = try await Fixture()
        for (field, expectation, status) in [
            ("Content-Length: 999999", "100-continue", 413), ("Content-Length: 4", "cake", 417),
            ("Content-Length: 4", "100-continue, cake", 417),
            ("Transfer-Encoding: gzip", "100-continue", 501),
        ] {
            let text = request("POST /echo", field, "Expect: \(expectation)")
            #expect(try await fixture.exchange(text).map(\.status) == [status])
        }
    }
}
