import Client
import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("The completion of what the server has", .timeLimit(.minutes(5)))
struct LiveCompletionTests {
    private static let start = Timestamp(seconds: WallClock.now.seconds / 1800 * 1800 + 3600)
    private static let ids = [Identifier(value: 0xA << 124 | 1), Identifier(value: 0xB << 124 | 1)]

    /// Starts a server with two registrations, whose tasks are of the kind that a shell evaluates.
    private static func serve() async throws -> ScriptedServer {
        let tasks = ["$(touch /nonexistent/x) `id` %F{red} \\n", "a:b [c] 'd' \"e\" \u{1B}[31m"]
        let list = RegistrationList(
            registrations: zip(ids, tasks).map { id, task in
                Registration(
                    id: id, slot: SlotSpan(startsAt: start, endsAt: start.adding(.seconds(1800))), task: task,
                    tag: nil, state: .registered, roomId: nil, createdAt: start, updatedAt: start)
            })
        return try await ScriptedServer(.get, Routes.registrations) { _ in .json(list) }
    }

    private func environment(_ process: CommandProcess, _ server: String) -> [String] {
        ["LETSSWITCH_URL=\(server)", "XDG_CONFIG_HOME=\(process.home)", "TZ=UTC", "LC_ALL=C.UTF-8"]
    }

    @Test(
        "offers ids of the account and names of zones in real shells, and evaluates no text",
        arguments: Shell.allCases.filter(ShellCompletion.isThere))
    func shells(shell: Shell) async throws {
        let server = try await Self.serve()
        let process = try CommandProcess.signedIn()
        let environment = environment(process, server.url)
        let all = try await ShellCompletion.offers(shell, "letsswitch cancel ", environment)
        #expect(Set(all) == Set(Self.ids.map(\.description)))
        let one = try await ShellCompletion.offers(shell, "letsswitch cancel a", environment)
        #expect(one == [Self.ids[0].description])
        let options = try await ShellCompletion.offers(shell, "letsswitch cancel --js", environment)
        #expect(options == ["--json"])
        for line in [
            "letsswitch account --time-zone Europe/Berl", "letsswitch signup X --time-zone Europe/Berl",
        ] {
            #expect(try await ShellCompletion.offers(shell, line, environment) == ["Europe/Berlin"])
        }
    }

    @Test("lists several with their meaning in bash, where they are listed only")
    func meanings() async throws {
        let server = try await Self.serve()
        let process = try CommandProcess.signedIn()
        let environment = environment(process, server.url) + ["COMP_TYPE=63"]
        let listed = try await ShellCompletion.offers(.bash, "letsswitch cancel ", environment)
        #expect(listed.count == 2 && listed[0].hasPrefix("\(Self.ids[0])  "), "\(listed)")
        #expect(listed[0].contains("$(touch /nonexistent/x) `id`") && !listed[1].contains("\u{1B}"))
        let inserted = try await ShellCompletion.offers(.bash, "letsswitch cancel b", environment)
        #expect(inserted == [Self.ids[1].description])
    }

    @Test("keeps an answer for its owner alone, and asks again after some seconds")
    func kept() async throws {
        let server = try await Self.serve()
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(["complete", "registration"], server: server.url)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.split(separator: "\n").first?.hasPrefix("\(Self.ids[0])\t") == true)
        for (seconds, use) in [
            (0, .fresh), (4, .fresh), (5, .old), (86_399, .old), (86_400, .useless), (-1, .useless),
        ]
            as [(Int, CompleteCommand.Use)]
        {
            #expect(CompleteCommand.Use(age: .seconds(seconds)) == use)
        }
        var status = stat()
        #expect(stat("\(process.home)/letsswitch/complete-registration", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("offers what was known before, or nothing, where the server does not answer")
    func silence() async throws {
        let isSilent = Lock(false)
        let server = try await ScriptedServer { router, _ in
            router.task(.get, Routes.endpoints) { _ in
                if isSilent.withLock(\.self) { try? await Task.sleep(for: .seconds(600)) }
                let endpoint = Endpoint(
                    id: Sample.me, kind: .webhook, url: "https://example.org/hook",
                    createdAt: Sample.start)
                return .json(EndpointList(endpoints: [endpoint]))
            }
        }
        let process = try CommandProcess.signedIn()
        let first = try await process.run(["complete", "endpoint"], server: server.url)
        #expect(first.output == "\(Sample.me)\thttps://example.org/hook\n")
        isSilent.withLock { $0 = true }
        // The kept offers are made so old that the server is asked again.
        let store = EntryStore(
            directory: "\(process.home)/letsswitch", server: try Server(server.url), token: "secret")
        try age(store, process, by: 60)
        let again = try await process.run(["complete", "endpoint"], server: server.url)
        #expect(again.status == 0 && again.errors.isEmpty && again.output == first.output)
        try age(store, process, by: 90_000)
        let late = try await process.run(["complete", "endpoint"], server: server.url)
        #expect(late.status == 0 && late.errors.isEmpty && late.output.isEmpty)
    }

    /// Makes the kept answer older.
    private func age(_ store: EntryStore, _ process: CommandProcess, by seconds: Int) throws {
        let content = try #require(store.completions(of: .endpoint))
        let older = EntryStore.Content(
            server: content.server, account: content.account, kind: content.kind,
            at: WallClock.now.adding(.seconds(-seconds)), entries: content.entries)
        let path = "\(process.home)/letsswitch/complete-endpoint"
        #expect(PrivateFile.write(try JSON.encode(older), to: path))
    }

    @Test(
        "is silent where there is nothing to say",
        arguments: [["complete", "registration"], ["complete", "nothing"], ["complete", ""]])
    func nothing(arguments: [String]) async throws {
        let process = CommandProcess()
        for isSignedIn in [false, true] {
            if isSignedIn { try process.signIn() }
            let outcome = try await process.run(arguments, server: "http://127.0.0.1:1")
            #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty, "\(outcome)")
        }
    }

    @Test("reads the names of zones from the machine's table, whatever is in it")
    func zones() {
        let table =
            "# comment\tx\ty\nDE\t+5230+01322\tEurope/Berlin\tmost\nno\n\nJP\t+1\tAsia/Tokyo\n\u{FFFD}\t\t\n"
        #expect(CompleteCommand.zoneNames(table) == ["Asia/Tokyo", "Europe/Berlin", "UTC"])
        #expect(CompleteCommand.zoneNames("\u{FFFD}\t\n") == ["UTC"])
    }
}
