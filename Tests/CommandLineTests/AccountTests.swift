import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("An account on this machine")
struct AccountTests {
    @Test(
        "signup takes the machine's time zone, says so, and goes on without where the server does not know it"
    )
    func timeZone() async throws {
        let server = try await ScriptedServer(.post, Routes.users) { request in
            let zone = (try? JSONValue.parse(request.body))?["timeZone"]?.string
            if zone == "Mars/Base" {
                let error = FieldError(pointer: "/timeZone", detail: "There is no such zone.")
                return .problem(.invalid, "The body is wrong.", errors: [error])
            }
            var user = Sample.user
            user.timeZone = zone ?? "UTC"
            return .json(SignedUp(user: user, token: "new-token"), status: 201)
        }
        let process = CommandProcess()
        func signUp(_ zone: String, _ more: [String] = []) async throws -> CommandProcess.Outcome {
            try await process.run(
                path: try Child.command(), ["signup", "Alice", "--force"] + more,
                environment: [
                    "LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=\(zone)",
                ])
        }
        let machines = try await signUp("Asia/Tokyo")
        #expect(machines.output.contains("Your time zone is Asia/Tokyo, as on this machine."), "\(machines)")
        let chosen = try await signUp("Asia/Tokyo", ["--time-zone", "Europe/Berlin"])
        #expect(chosen.output.contains("Your time zone is Europe/Berlin. "), "\(chosen)")
        for unknown in ["Mars/Base", "<+03>-3"] {
            let outcome = try await signUp(unknown)
            #expect(
                outcome.output.contains("Your time zone is UTC, as this machine's is not known."),
                "\(outcome)")
        }
        #expect(try await signUp("Asia/Tokyo", ["--time-zone", "Mars/Base"]).status == 2)
    }

    @Test("a token is for the server that knew it first, and goes to no other")
    func boundToken() async throws {
        func serve(_ token: String, _ seen: Lock<[String]>) async throws -> ScriptedServer {
            try await ScriptedServer(.get, Routes.me) { request in
                let given = request.head.headers.first("authorization") ?? ""
                seen.withLock { $0.append(given) }
                return given == "Bearer \(token)"
                    ? .json(UserAnswer(user: Sample.user)) : .problem(.unauthenticated, "No.")
            }
        }
        let (seen, seenElsewhere) = (Lock<[String]>([]), Lock<[String]>([]))
        let server = try await serve("secret", seen)
        let other = try await serve("another", seenElsewhere)
        let process = CommandProcess()
        // Earlier versions wrote the file so, without a server.
        try process.signIn()
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
        let elsewhere = try await process.run(["whoami"], server: other.url)
        #expect(elsewhere.status == 3)
        #expect(elsewhere.errors.split(separator: "\n").count == 1)
        #expect(elsewhere.errors.contains("is for \(server.url), and does not go to \(other.url)"))
        #expect(elsewhere.errors.contains("--server \(server.url)"))
        let file = try await process.run(["login", "--token-file", process.tokenPath], server: other.url)
        #expect(file.status == 3 && file.errors.contains("does not go to"))
        #expect(seenElsewhere.withLock { $0 }.isEmpty)
        #expect(try await process.run(["whoami"], server: server.url).status == 0)
        let again = try await process.run(["login", "--token-file", process.tokenPath], server: server.url)
        #expect(again.status == 0)
        // Another account replaces the first one, together with its server.
        let switched = try await process.run(
            ["login", "--token-file", "-"], server: other.url, input: "another\n")
        #expect(switched.status == 0)
        #expect(try await process.run(["whoami"], server: other.url).status == 0)
        let count = seen.withLock { $0 }.count
        #expect(try await process.run(["whoami"], server: server.url).status == 3)
        #expect(seen.withLock { $0 }.count == count)
    }

    @Test("a token without a server stays so where a server does not know it")
    func unboundToken() async throws {
        let server = try await ScriptedServer(.get, Routes.me) { _ in .problem(.unauthenticated, "No.") }
        let right = try await ScriptedServer(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
        let process = try CommandProcess.signedIn()
        #expect(try await process.run(["whoami"], server: server.url).status == 3)
        #expect(try await process.run(["whoami"], server: right.url).status == 0)
        #expect(try await process.run(["whoami"], server: server.url).errors.contains("does not go to"))
    }

    @Test("a token without a server goes to the usual one, and to no other that --server names")
    func unboundTokenElsewhere() async throws {
        let seen = Lock(0)
        let usual = try await ScriptedServer(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
        let other = try await ScriptedServer(.get, Routes.me) { request in
            if request.head.headers.first("authorization") != nil { seen.withLock { $0 += 1 } }
            return .json(UserAnswer(user: Sample.user))
        }
        let process = try CommandProcess.signedIn()
        let elsewhere = try await process.run(["whoami", "--server", other.url], server: usual.url)
        #expect(elsewhere.status == 3)
        #expect(elsewhere.errors.split(separator: "\n").count == 1)
        let advice = "letsswitch login --token-file '\(process.tokenPath)' --server \(other.url)"
        #expect(elsewhere.errors.contains("names no server") && elsewhere.errors.contains(advice))
        let ping = try await process.run(["ping", "-c", "1", "--server", other.url], server: usual.url)
        #expect(!ping.errors.contains("names no server"))
        #expect(seen.withLock { $0 } == 0)
        // This is the command that the error advises.
        let login = try await process.run(
            ["login", "--token-file", process.tokenPath, "--server", other.url], server: usual.url)
        #expect(login.status == 0 && seen.withLock { $0 } == 1)
        #expect(try await process.run(["whoami"], server: usual.url).status == 3)
        #expect(try await process.run(["whoami", "--server", other.url], server: usual.url).status == 0)
    }

    @Test("a token without a server goes to the usual one where --server names that")
    func unboundTokenAtHome() async throws {
        let server = try await ScriptedServer(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
        let process = try CommandProcess.signedIn()
        #expect(try await process.run(["whoami", "--server", server.url], server: server.url).status == 0)
        #expect(try await process.run(["whoami"], server: "http://127.0.0.1:1").errors.contains("is for"))
    }
}
