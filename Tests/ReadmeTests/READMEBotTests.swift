import Client
import Contract
import Reactor
import Testing

@Suite("README")
struct READMEBotTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    @Test("the bot in the documents is the one that is compiled here, byte for byte")
    func sameBot() async throws {
        let page = try await ChildProcess.run(.init("/bin/cat", ["\(Self.root)/docs/integrate/swift.md"]))
            .output()
        let bot = "\(Self.root)/Tests/ReadmeTests/Bot.swift"
        let compiled = try await ChildProcess.run(.init("/bin/cat", [bot])).output()
        let blocks = Self.swiftBlocks(of: page)
        // Two lines of the manifest follow the bot.
        #expect(blocks.count == 2)
        #expect(blocks.first == compiled)
    }

    @Test("a bot may depend on this package: nothing in it but its fuzzing has unsafe flags")
    func noUnsafeFlags() async throws {
        let manifest = try await ChildProcess.run(.init("/bin/cat", ["\(Self.root)/Package.swift"])).output()
        let unsafe = manifest.split(separator: "\n").filter { $0.contains(".unsafeFlags(") }
        let forFuzzing = [
            "isFuzzing ? [.unsafeFlags([coverage])]", "linkerSettings: [.unsafeFlags([\"-use-ld=lld\"])]",
        ]
        for line in unsafe {
            let isKnown = forFuzzing.contains { line.contains($0) }
            #expect(isKnown, "\(line)")
        }
        #expect(manifest.contains(".library(name: \"Client\", targets: [\"Client\""))
    }

    @Test("the bot answers an ale with an ale, and ends with its room", .timeLimit(.minutes(5)))
    func answers() async throws {
        let (slot, lead) = (Int64(20), Int64(8))
        let server = try await BuiltServer(settings: ["SLOT_SECONDS": "\(slot)", "LEAD_SECONDS": "\(lead)"])
        let soon = Timestamp(microseconds: WallClock.microseconds()).seconds + lead + 5
        let start = Timestamp(seconds: (soon / slot + 1) * slot)
        let stranger = try APIClient(server: Server(server.url))
        let registration = NewRegistration(task: "Cheer", slots: .instants([start]))
        let machine = try await stranger.signUp(NewUser(name: "Bot"))
        let aiko = stranger.authenticated(with: try await stranger.signUp(NewUser(name: "Aiko")).token)
        for api in [stranger.authenticated(with: machine.token), aiko] {
            _ = try await api.register(registration)
        }
        async let running: Void = bot(server: server.url, token: machine.token)
        #expect(try await Self.hearsAnAle(aiko))
        try await running
        #expect(await server.stop() == .exited(0))
    }

    @Test(
        "the bot that cannot go on ends with a line and an exit code", arguments: ["http://127.0.0.1:1", "x"])
    func fails(server: String) async {
        #expect(await run(server: server, token: "lsk_x") == 1)
    }

    /// Cheers once the other member is present, and returns whether an ale came back before the room closed.
    private static func hearsAnAle(_ api: APIClient) async throws -> Bool {
        let connection = try await api.connection(in: api.waitForRoom().id)
        let events = connection.events
        await connection.start()
        for await event in events {
            switch event {
            case .connected(let handshake, _):
                if handshake.members.contains(where: { !$0.you && $0.present }) { await connection.cheer() }
            case .presence(_, let present): if present { await connection.cheer() }
            case .ale:
                await connection.stop()
                return true
            case .acknowledged, .refused, .givenUp, .checkIn, .outcome, .status, .members, .moved,
                .announcement, .interrupted, .missed, .closed:
                continue
            }
        }
        return false
    }

    /// Returns the Swift code between each pair of fences.
    private static func swiftBlocks(of text: String) -> [String] {
        var blocks: [String] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if !isInside, line == "```swift" {
                isInside = true
                blocks.append("")
            } else if isInside, line == "```" {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1] += line + "\n"
            }
        }
        return blocks
    }
}
