import Contract
import Glibc
import Reactor
import TestKit
import Testing

@Suite("The story", .timeLimit(.minutes(5)))
struct StoryTests {
    @Test("two people meet with curl and the command line, cheer each other, and are told how it went")
    func wholeStory() async throws {
        try await Permits.shared.with {
            let data = TemporaryFolder()
            let grid = Grid(slotSeconds: 20, leadSeconds: 10, lateSeconds: 10)
            let server = try await ServerProcess.ready(
                ["DATA_DIR": "\(data.path)/data"].merging(grid.settings) { $1 })
            do {
                try await tell(server, grid)
            } catch {
                Issue.record("\(error)\n\(server.log)")
            }
            #expect(await server.stop() == .exited(0), "\(server.log)")
        }
    }

    @Test("is the same at several servers", .enabled(if: ServerProcess.areSeveral))
    func atSeveral() async throws {
        let grid = Grid(slotSeconds: 20, leadSeconds: 10, lateSeconds: 10)
        try await Stage.withServer(grid) { _, server in
            try await tell(server, grid)
            #expect(await server.stop() == .exited(0), "\(server.log)")
        }
    }

    private func tell(_ server: ServerProcess, _ grid: Grid) async throws {
        let (alice, bob) = (try CommandLineUser(server), try CommandLineUser(server))
        let token = try await signUp(alice, bob, server)
        let startsAt = grid.slot(openingAfter: .seconds(15))
        try await register(bob, token, startsAt, server)
        let events = try Curl.stream("\(server.url)/v1/events", token: token, "-i")
        let watch = try bob.start("watch")
        #expect(await events.hasPrinted("200 OK"))
        #expect(await watch.hasPrinted("Watching"))

        // One user waits for the room, the other comes when told.
        let bobs = try bob.start("join", "--json")
        #expect(await bobs.hasPrinted("\"event\":\"waiting\""))
        #expect(!events.output().contains("room.opened"))
        #expect(Timestamp.now < grid.opensAt(startsAt), "the story was too slow to prove anything")
        #expect(await events.hasPrinted("event: room.opened"))
        #expect(Timestamp.now.adding(Grid.clockError) >= grid.opensAt(startsAt))
        #expect(await watch.hasPrinted("is open, with Alice (Write)"))
        #expect(await bobs.hasPrinted("\"event\":\"connected\""))
        let alices = try alice.start("join", "--json", input: "\n")
        #expect(await alices.hasPrinted("\"event\":\"acked\""))
        #expect(await bobs.hasPrinted("\"event\":\"ale\""))
        #expect(try await bob.run("ale").status == 0)
        #expect(await alices.hasPrinted("\"event\":\"ale\""))

        #expect(await events.hasPrinted("event: session.completed"))
        #expect(await alices.ending() == .exited(0))
        #expect(await bobs.ending() == .exited(0))
        let summary = events.output()
        #expect(summary.contains("\"alesSent\":1"))
        #expect(summary.contains("\"alesReceived\":1"))
        #expect(await watch.hasPrinted("1 ale sent, 1 received"))
        // Each heard the other's ale, and not their own.
        #expect(alices.output().split(separator: "\"event\":\"ale\"").count == 2)
        #expect(bobs.output().split(separator: "\"event\":\"ale\"").count == 2)
        watch.signal(SIGINT)
        #expect(await watch.ending() == .exited(130))
        events.signal(SIGTERM)
        #expect(try await bob.run("registrations", "--all", "--json").output.contains("\"attended\""))
    }

    /// Signs up Alice by curl, and Bob by the command line. Returns Alice's token.
    private func signUp(
        _ alice: CommandLineUser, _ bob: CommandLineUser, _ server: ServerProcess
    ) async throws -> String {
        #expect(try await bob.run("whoami").status == 3)
        let made = try await Curl.post(
            "\(server.url)/v1/users", "{\"name\":\"Alice\",\"timeZone\":\"Asia/Tokyo\"}")
        #expect(made.status == 201)
        let token = try #require(made.json["token"]?.string)
        let folder = TemporaryFolder()
        let file = try folder.file("token", "\(token)\n")
        #expect(try await alice.run("login", "--token-file", file).status == 0)
        #expect(try await bob.run("signup", "Bob").status == 0)
        #expect(try await alice.run("whoami", "--json").output.contains("\"timeZone\":\"Asia/Tokyo\""))
        return token
    }

    private func register(
        _ bob: CommandLineUser, _ token: String, _ startsAt: Timestamp, _ server: ServerProcess
    ) async throws {
        let body = "{\"task\":\"Write\",\"slots\":[\"\(startsAt)\"]}"
        let made = try await Curl.post("\(server.url)/v1/registrations", body, token: token)
        #expect(made.status == 201)
        let id = try #require(made.json["registrations"]?.array?.first?["id"]?.string)
        #expect(made.headers["location"]?.hasSuffix("/v1/registrations/\(id)") == true)
        let registered = try await bob.run("register", "Read", "--at", "\(startsAt)", "--tag", "books")
        #expect(registered.status == 0, "\(registered)")
        #expect(try await bob.run("register", "Read", "--at", "\(startsAt)").status == 5)
        #expect(try await bob.run("cancel", "00000000-0000-4000-8000-000000000000").status == 4)
        #expect(try await bob.run("cancel", "x").status == 2)
        let elsewhere = try await bob.run("whoami", "--server", "http://127.0.0.1:1")
        #expect(
            elsewhere.status == 3 && elsewhere.errors.contains("is for \(server.url), and does not go to"))
        #expect(try await bob.run("ping", "--count", "1", "--server", "http://127.0.0.1:1").status == 7)
    }
}
