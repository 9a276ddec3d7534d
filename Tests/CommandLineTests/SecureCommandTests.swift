import ClientTesting
import Contract
import HTTP1
import HTTPServer
import TLSTesting
import Testing

@testable import letsswitch

@Suite("A command over https")
struct SecureCommandTests {
    private let authority = TestAuthority()

    private func serve() async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
            router.immediate(.get, Routes.ready) { _ in HTTPResponse(status: 200, body: []) }
            router.immediate(.get, Routes.live) { _ in HTTPResponse(status: 200, body: []) }
            router.immediate(.get, Routes.openAPI) { _ in .json(["info": ["version": "1.2.3"]]) }
            router.immediate(.get, Routes.socket) { _ in .problem(.unauthenticated, "Who?") }
        }
    }

    @Test("trusts the authority that it is given, and no other")
    func authority() async throws {
        let server = try await serve()
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let file = TemporaryFile(authority.pem)
        let process = try CommandProcess.signedIn()
        let trusting = try await process.run(["whoami", "--cacert", file.path], server: relay.url)
        #expect(trusting.status == 0, "\(trusting.errors)")
        let variable = ["LETSSWITCH_CACERT=\(file.path)"]
        #expect(try await process.run(["whoami"], server: relay.url, environment: variable).status == 0)
        let wary = try await process.run(["whoami"], server: relay.url)
        #expect(wary.status == 7)
        #expect(wary.errors.contains("--cacert"))
        let pin = "sha256//" + String(repeating: "A", count: 43) + "="
        let pinned = try await process.run(
            ["whoami", "--cacert", file.path, "--pin", pin], server: relay.url)
        #expect(pinned.status == 7)
        #expect(pinned.errors.contains("sha256//"))
    }

    @Test(
        "refuses options of TLS that make no sense",
        arguments: [
            ["--pin", "sha256//x"], ["--cacert", "/nonexistent.pem"],
        ])
    func usage(options: [String]) async throws {
        let process = CommandProcess()
        for url in ["https://127.0.0.1:1", "http://127.0.0.1:1"] {
            #expect(try await process.run(["whoami"] + options, server: url).status == 2)
        }
    }

    @Test("doctor tells about the certificate, and what is wrong with it")
    func doctor() async throws {
        let server = try await serve()
        let relay = try await TLSRelay(authority.issue(days: -1...9), to: server.port)
        let file = TemporaryFile(authority.pem)
        let process = try CommandProcess.signedIn()
        let fine = try await process.run(["doctor", "--cacert", file.path], server: relay.url)
        #expect(fine.status == 0, "\(fine.errors)")
        for part in ["TLSv1.3", "CN = Test Authority", "8 more days", "renewed soon", "sha256//"] {
            #expect(fine.output.contains(part))
        }
        let wary = try await process.run(["doctor"], server: relay.url)
        #expect(wary.status == 7)
        #expect(wary.output.contains("--cacert"))
        // The token that was used over TLS is for that server alone.
        let downgraded = try await process.run(["doctor"], server: server.url)
        #expect(downgraded.status == 3 && downgraded.output.contains("does not go to \(server.url)"))
        let other = try CommandProcess.signedIn()
        let plain = try await other.run(["doctor"], server: server.url)
        #expect(plain.status == 0)
        #expect(plain.output.contains("read along"))
    }
}
