import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@testable import letsswitch

@Suite("The exit code")
struct ExitCodeTests {
    @Test(
        "tells what the service said",
        arguments: [
            (.unauthenticated, 3), (.notFound, 4), (.gone, 4), (.conflict, 5), (.alreadyRegistered, 5),
            (.tooLate, 5), (.tooManyRequests, 6), (.quotaExceeded, 6), (.invalid, 2), (.unavailable, 1),
            (.internalError, 1),
        ] as [(ProblemName, Int32)])
    func problems(name: ProblemName, code: Int32) async throws {
        let server = try await ScriptedServer(.get, Routes.me) { _ in .problem(name, "Do \u{1B}[31mthis.") }
        let process = try CommandProcess.signedIn()
        let plain = try await process.run(["whoami"], server: server.url)
        #expect(plain.status == code)
        #expect(plain.output.isEmpty)
        #expect(plain.errors == "letsswitch: Do \u{FFFD}[31mthis.\n")
        let json = try await process.run(["whoami", "--json"], server: server.url)
        #expect(json.status == code)
        #expect(try JSON.decode(Problem.self, from: Array(json.errors.utf8)).name == name)
    }

    @Test(
        "is 2 where it is used wrongly",
        arguments: [
            ["-q"], ["jion"], ["token", "lsit"], ["account", "--name", "x", "delete"], ["cancel"],
            ["cancel", "x"], ["whoami", "--jsn"], ["whoami", "--timeout", "x"],
            ["register", "x"], ["register", "x", "--at", "25:00"], ["login"], ["slots", "2027-02-30"],
            ["whoami", "--server", "ftp://x"],
        ])
    func usage(arguments: [String]) async throws {
        let process = CommandProcess()
        let outcome = try await process.run(arguments, server: "http://127.0.0.1:1")
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("letsswitch: "))
    }

    @Test("is 3 without a token, 7 without a server, 8 when the time has run out")
    func others() async throws {
        let process = CommandProcess()
        #expect(try await process.run(["whoami"], server: "http://127.0.0.1:1").status == 3)
        try process.signIn()
        #expect(try await process.run(["whoami"], server: "http://127.0.0.1:1").status == 7)
        let server = try await ScriptedServer { router, _ in
            router.task(.get, Routes.me) { _ in
                try? await Task.sleep(for: .seconds(600))
                return HTTPResponse(status: 204)
            }
        }
        #expect(try await process.run(["whoami", "--timeout", "0.1"], server: server.url).status == 8)
    }

    @Test("is 1 where the disk of a queue is full, with a line that says which file")
    func storage() {
        let failure = Failure(describing: ClientError.storage("/x/queue cannot be written: No space left."))
        #expect(failure.code == .other)
        #expect(failure.detail.contains("/x/queue"))
    }

    @Test("is 130 after Ctrl-C")
    func interrupted() async throws {
        let server = try await ScriptedServer(.get, Routes.events) { _ in .events(openAfter: ": hello\n\n") }
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(["watch"], server: server.url, until: "Watching")
        #expect(outcome.status == 130)
    }
}
