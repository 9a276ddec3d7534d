import ClientTesting
import Contract
import HTTP1
import HTTPServer
import SocketTesting
import TLSTesting
import Testing
import WebSocket

@testable import letsswitch

@Suite("A person who looks for a fault")
struct DiagnosingTests {
    private func serve(
        version: String, socket: ProblemName, slots: ProblemName = .notFound
    ) async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
            let ready = HTTPResponse(status: 200, headers: [Routes.serverHeader: "two"], body: [])
            router.immediate(.get, Routes.ready) { _ in ready }
            router.immediate(.get, Routes.live) { _ in HTTPResponse(status: 200, body: []) }
            router.immediate(.get, Routes.openAPI) { _ in .json(["info": ["version": version]]) }
            router.immediate(.get, Routes.socket) { _ in .problem(socket, "No.") }
            router.immediate(.get, Routes.slots) { _ in .problem(slots, "No.") }
        }
    }

    @Test(
        "hears from doctor about a version that does not fit, and a proxy that keeps WebSockets out",
        arguments: [
            ("2.0.0", ProblemName.unauthenticated, "version", "Update the older one"),
            ("1.0.0", .upgradeRequired, "socket", "pass on Upgrade and Connection"),
        ])
    func doctor(version: String, socket: ProblemName, check: String, advice: String) async throws {
        let server = try await serve(version: version, socket: socket)
        let process = try CommandProcess.signedIn()
        let plain = try await process.run(["doctor"], server: server.url)
        #expect(plain.status == 1)
        #expect(plain.output.contains("FAIL  \(check)"))
        #expect(plain.output.contains("is up and ready. Server two has answered.\n"))
        #expect(plain.output.contains(advice))
        let json = try await process.run(["doctor", "--json"], server: server.url)
        let checks = try json.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        #expect(checks.compactMap { $0["check"]?.string } == Examination.Check.allCases.map(\.rawValue))
        #expect(checks.filter { $0["ok"] == .bool(false) }.map { $0["check"]?.string } == [check])
    }

    @Test("hears from doctor that all is well, without an account")
    func withoutAccount() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated)
        let run = try await CommandProcess().run(["doctor"], server: server.url)
        #expect(run.status == 0, "\(run)")
        #expect(
            run.output.contains("ok    token    Not checked: there is no account on this machine."), "\(run)")
    }

    @Test("hears from doctor that the server has no rules for the time zone of the account")
    func timeZone() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated, slots: .timeZoneUnknown)
        let run = try await CommandProcess.signedIn().run(["doctor"], server: server.url)
        #expect(run.status == 1)
        #expect(run.output.contains("FAIL  token"), "\(run.output)")
        #expect(run.output.contains("no rules for your time zone UTC"), "\(run.output)")
        #expect(run.output.contains("letsswitch account --time-zone NAME"), "\(run.output)")
    }

    @Test("hears from doctor that a proxy of the environment is ignored, where the name fails and where not")
    func proxy() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated)
        let process = try CommandProcess.signedIn()
        let variable = "http_proxy=http://127.0.0.1:9"
        let fine = try await process.run(["doctor"], server: server.url, environment: [variable])
        #expect(fine.status == 0)
        #expect(
            fine.output.split(separator: "\n").first?.contains("http_proxy is set. letsswitch ignores it")
                == true)
        let wrong = try await process.run(
            ["doctor"], server: "https://nowhere.invalid", environment: ["ALL_PROXY=http://127.0.0.1:9"])
        #expect(wrong.status == 7)
        #expect(wrong.output.contains("ALL_PROXY is set. letsswitch ignores it"))
        let plain = try await process.run(["doctor"], server: server.url)
        #expect(!plain.output.contains("is set"))
    }

    @Test("hears from doctor which proxy is used, without its password, unless NO_PROXY has the server")
    func usedProxy() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated)
        let authority = TestAuthority()
        let file = TemporaryFile(authority.pem)
        let relay = try await TLSRelay(authority.issue("DNS:switch.invalid"), to: server.port)
        let proxy = try await ConnectProxy(to: ["switch.invalid:443": relay.port])
        let process = try CommandProcess.signedIn()
        func doctor(_ more: [String]) async throws -> CommandProcess.Outcome {
            try await process.run(
                ["doctor", "--cacert", file.path], server: "https://switch.invalid",
                environment: ["HTTPS_PROXY=http://anna:secret@127.0.0.1:\(proxy.port)"] + more)
        }
        let used = try await doctor([])
        #expect(used.status == 0, "\(used.output)")
        let name = "http://127.0.0.1:\(proxy.port)"
        #expect(used.output.contains("HTTPS_PROXY is used: \(name) is 127.0.0.1."), "\(used.output)")
        #expect(used.output.contains("The proxy \(name) takes connections."))
        #expect(!used.output.contains("secret"))
        #expect(proxy.requests.count > 2)
        let count = proxy.requests.count
        let bypassed = try await doctor(["NO_PROXY=localhost,.invalid"])
        #expect(bypassed.status == 7 && proxy.requests.count == count, "\(bypassed.output)")
    }

    @Test("hears that a proxy cannot be used, if the server is to be reached through it and not otherwise")
    func unusableProxy() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated)
        let authority = TestAuthority()
        let file = TemporaryFile(authority.pem)
        let relay = try await TLSRelay(authority.issue(), to: server.port)
        let process = try CommandProcess.signedIn()
        let environment = ["https_proxy=socks5://secret:1"]
        let remote = "https://switch.invalid"
        let used = try await process.run(["doctor"], server: remote, environment: environment)
        #expect(used.status == 2 && used.output.contains("https_proxy is no URL of an HTTP proxy"), "\(used)")
        #expect(used.output.contains("NO_PROXY") && !used.output.contains("secret"))
        let call = try await process.run(["whoami"], server: remote, environment: environment)
        #expect(call.status == 2 && call.errors.contains("https_proxy is no URL of an HTTP proxy"), "\(call)")
        let without = try await process.run(["token", "show"], server: remote, environment: environment)
        #expect(!without.errors.contains("proxy"), "\(without)")
        for url in [relay.url, "https://127.0.0.1:\(relay.port)"] {
            let own = try CommandProcess.signedIn()
            let local = try await own.run(
                ["doctor", "--cacert", file.path], server: url, environment: environment)
            #expect(local.status == 0, "\(local)")
        }
    }

    @Test("measures the room's connection with ping, and sums up")
    func ping() async throws {
        let stage = try await JoinStage()
        let arguments = ["ping", "--count", "3", "--interval", "0.01"]
        let plain = try await stage.process.run(arguments, server: stage.server.url)
        #expect(plain.status == 0, "\(plain.errors)")
        let lines = plain.output.split(separator: "\n")
        #expect(lines.count == 7)
        #expect(lines[1].hasPrefix("answer from the room: seq=1 time="))
        #expect(lines[5] == "3 sent, 3 answered, 0% lost")
        #expect(lines[6].hasPrefix("round trip min/avg/max = "))
        let json = try await stage.process.run(arguments + ["--json"], server: stage.server.url)
        let objects = try json.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        #expect(objects.map { $0["seq"] != nil } == [true, true, true, false])
        #expect(objects.last?["received"] == .number("3"))
    }

    @Test("measures by HTTP where no room is open, and sums up after Ctrl-C too")
    func pingWithoutRoom() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated)
        let process = CommandProcess()
        let outcome = try await process.run(
            ["ping", "--interval", "0.01"], server: server.url, until: "seq=2")
        #expect(outcome.status == 130)
        #expect(outcome.output.contains("no room of yours is open"))
        #expect(outcome.output.contains("0% lost\nround trip min/avg/max = "))
    }

    @Test("sums up also where --timeout ends ping")
    func pingInTime() async throws {
        let server = try await serve(version: "1.0.0", socket: .unauthenticated)
        let process = CommandProcess()
        let outcome = try await process.run(
            ["ping", "--interval", "0.01", "--timeout", "1"], server: server.url)
        #expect(outcome.status == 8)
        #expect(outcome.output.contains(" sent, "))
        #expect(outcome.errors.contains("--timeout ran out"))
    }

    @Test("fails with 7 where ping has no answer at all")
    func noAnswer() async throws {
        let process = CommandProcess()
        let outcome = try await process.run(
            ["ping", "--count", "2", "--interval", "0.01"], server: "http://127.0.0.1:1")
        #expect(outcome.status == 7)
        #expect(outcome.output.contains("2 sent, 0 answered, 100% lost"))
    }

    @Test("gets what happens to the connection as lines of JSON on standard error")
    func diagnostics() async throws {
        let stage = try await JoinStage { part in
            guard part.message != nil else { return false }
            part.send(.ack(messageId: part.message?["messageId"]?.string ?? "", seq: 1))
            part.connection.close(.normal)
            return true
        }
        let outcome = try await stage.process.run(
            ["join", "--diagnostics"], server: stage.server.url, input: "\n")
        #expect(outcome.status == 0)
        let events = try outcome.errors.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        let names = events.compactMap { $0["event"]?.string }
        #expect(names.first == "activated")
        #expect(names.contains("sent"))
        #expect(names.suffix(2) == ["deactivated", "counters"])
        #expect(events.last?["counters"]?["acknowledged"] == .number("1"))
    }
}
