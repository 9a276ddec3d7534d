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

    @Test(
        "the bot answers the program of the library's documentation, and both end with their room",
        .timeLimit(.minutes(5)))
    func answers() async throws {
        let (slot, lead) = (Int64(20), Int64(8))
        let server = try await BuiltServer(settings: ["SLOT_SECONDS": "\(slot)", "LEAD_SECONDS": "\(lead)"])
        let soon = Timestamp(microseconds: WallClock.microseconds()).seconds + lead + 5
        let start = Timestamp(seconds: (soon / slot + 1) * slot)
        let machine = try await signUp("Bot", at: Server(server.url))
        _ = try await machine.register(NewRegistration(task: "Cheer", slots: .instants([start])))
        let aiko = try await signUp("Aiko", at: Server(server.url))
        // The program registers for a slot of today, so the next midnight has to be far.
        let zone = start.seconds % 86_400 < 43_200 ? "Asia/Tokyo" : "America/New_York"
        _ = try await aiko.changeMe(UserPatch(timeZone: zone))
        #expect(try await register("Read", with: aiko)?.slot.startsAt == start)
        async let running: Void = bot(server: server.url, token: machine.token ?? "")
        #expect(try await attend(with: aiko) > 0)
        try await running
        #expect(await server.stop() == .exited(0))
    }

    @Test(
        "the programs that cannot go on end with a line and an exit code",
        arguments: ["http://127.0.0.1:1", "x"])
    func fails(server: String) async {
        #expect(await run(server: server, token: "lsk_x") == 1)
        #expect(await focus(on: "Read", server: server, token: "lsk_x") == 1)
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
