import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import TLSTesting
import Testing

@testable import letsswitch

@Suite("One clear line")
struct TroubleTests {
    @Test(
        "and an exit code tell of a server that answers rubbish, or sends on",
        arguments: [
            (
                HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Array("<html>".utf8)),
                "right address"
            ),
            (
                HTTPResponse(status: 302, headers: ["Location": "https://x.example/"], body: []),
                "https://x.example/"
            ),
            (HTTPResponse(status: 502, body: Array("oh".utf8)), "502"),
        ])
    func rubbish(response: HTTPResponse, text: String) async throws {
        let server = try await ScriptedServer(.get, Routes.me) { _ in response }
        let process = try CommandProcess.signedIn()
        expect(try await process.run(["whoami"], server: server.url), 1, text)
    }

    @Test("tells of http where the server speaks TLS, and the reverse")
    func protocols() async throws {
        let server = try await ScriptedServer { _, _ in }
        let authority = TestAuthority()
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let process = try CommandProcess.signedIn()
        let plain = try await process.run(
            ["whoami", "--timeout", "60"], server: "http://127.0.0.1:\(relay.port)")
        #expect([1, 7].contains(plain.status))
        #expect(plain.errors.split(separator: "\n").count == 1, "\(plain.errors)")
        expect(try await process.run(["whoami"], server: "https://127.0.0.1:\(server.port)"), 7, "TLS")
    }

    @Test("tells of a certificate that has expired, and of one for another host")
    func certificates() async throws {
        let server = try await ScriptedServer { _, _ in }
        let authority = TestAuthority()
        let file = TemporaryFile(authority.pem)
        let process = try CommandProcess.signedIn()
        let expired = try await TLSRelay(authority.issue(days: -9 ... -1), to: server.port)
        let arguments = ["whoami", "--cacert", file.path]
        expect(try await process.run(arguments, server: expired.url), 7, "expired")
        let fine = try await TLSRelay(authority.issue(), to: server.port)
        let other = "https://127.0.0.2:\(fine.port)"
        expect(try await process.run(arguments, server: other), 7, "127.0.0.2")
    }

    @Test("reports a token file that others can read, with the command that fixes it")
    func token() async throws {
        let process = try CommandProcess.signedIn()
        chmod(process.tokenPath, 0o640)
        expect(
            try await process.run(["whoami"], server: "http://127.0.0.1:1"), 3,
            "chmod 600 '\(process.tokenPath)'")
    }

    @Test("finds the room and the next slot also where the clock is an hour off")
    func clock() async throws {
        // The server's answers are dated an hour from now.
        let later = WallClock.now.adding(.seconds(3600))
        let server = try await ScriptedServer { router, _ in
            let room = Sample.openRoom(at: later)
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [room])) }
            router.immediate(.get, Routes.live) { _ in
                HTTPResponse(status: 200, headers: ["Date": Self.httpDate(later)], body: [])
            }
        }
        let api = try CommandProcess.signedIn()
        // The room has no socket here: the test checks that it was found.
        let outcome = try await api.run(["ale", "--timeout", "20"], server: server.url)
        #expect(!outcome.errors.contains("No room of yours is open"))
    }

    private static func httpDate(_ instant: Timestamp) -> String {
        var seconds = time_t(instant.seconds)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &fields)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func expect(_ outcome: CommandProcess.Outcome, _ status: Int32, _ text: String) {
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(text), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }
}
