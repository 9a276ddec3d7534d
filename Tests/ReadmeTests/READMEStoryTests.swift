import Glibc
import Reactor
import Testing

@Suite("README")
struct READMEStoryTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let separator = "-- end of step --"

    /// The documents whose commands run, in this order: later ones continue in the shell of earlier ones.
    private static let pages = [
        "README.md", "docs/cli.md", "docs/integrate/quickstart.md", "docs/integrate/authentication.md",
        "docs/integrate/sessions.md", "docs/integrate/notifications.md", "docs/integrate/room-protocol.md",
        "docs/integrate/reliability.md", "docs/integrate/browsers.md",
    ]

    @Test("the commands of the documents print the output that the documents show", .timeLimit(.minutes(5)))
    func story() async throws {
        let pages = Self.pages.map { "\(Self.root)/\($0)" }
        let story = Story(documents: try await ChildProcess.run(.init("/bin/cat", pages)).output())
        try #require(story.steps.count > 20)
        let settings = ["SLOT_SECONDS": "20", "LEAD_SECONDS": "8"]
        let server = try await BuiltServer(settings: settings)
        var command = ChildProcess.Command("/bin/bash", ["-c", story.script(separator: Self.separator)])
        command.environment = settings.merging(
            [
                "LETSSWITCH_URL": server.url, "TMPDIR": server.folder, "TZ": "UTC", "LC_ALL": "C.UTF-8",
                "PATH": "\(server.programs):\(ProcessEnvironment.current()["PATH"] ?? "/usr/bin:/bin")",
            ]) { $1 }
        command.workingDirectory = Self.root
        command.timeLimit = .seconds(300)
        let shell = try await ChildProcess.run(command)
        let ending = await shell.ending()
        #expect(ending == .exited(0), "\(shell.output(.standardError))\n\(server.log)")
        check(story, shell.output())
        #expect(await server.stop() == .exited(0))
    }

    /// The first lines of the blocks that the story leaves out, each with what runs or checks them.
    private static let checkedElsewhere = [
        // Builds and starts the programs that `BuiltServer` starts here.
        "script/server    # builds and starts the server at http://127.0.0.1:8080; Ctrl-C stops it",
        // script/dev/compose-operating runs script/setup and starts the containers.
        "script/setup --servers 1 --publish 127.0.0.1:8080    # writes .env and secrets/",
        // By hand, with the versions that the page names; Tests/Interop/follow.py speaks to the same socket.
        "websocat --protocol letsswitch.v2 \"$SOCKET\"",
    ]

    @Test("the commands that the story leaves out are known, with what runs them")
    func commandsLeftOut() async throws {
        let pages = Self.pages.map { "\(Self.root)/\($0)" }
        let story = Story(documents: try await ChildProcess.run(.init("/bin/cat", pages)).output())
        #expect(story.notRun == Self.checkedElsewhere)
    }

    private func check(_ story: Story, _ output: String) {
        let printed = output.split(separator: "\(Self.separator)\n", omittingEmptySubsequences: false)
        for (step, text) in zip(story.steps, printed) {
            let lines = text.split(separator: "\n")
            let isRight =
                lines.count == step.output.count
                && zip(lines, step.output).allSatisfy { Story.matches($0, $1) }
            #expect(isRight, "\(step.commands)\nprints\n\(text)")
        }
        // There is no output after the last step.
        #expect(printed.count == story.steps.count + 1)
    }

    @Test(
        "an ellipsis stands for any text",
        arguments: [
            ("plain", "plain", true), ("plain", "plai", false), ("", "…", true), ("a1b2c", "a…b…c", true),
            ("a1b2d", "a…b…c", false), ("ab", "a…b", true), ("ab", "ab…b", false), ("x", "…y…", false),
        ])
    func ellipsis(line: String, expected: String, isMatch: Bool) {
        #expect(Story.matches(line[...], expected[...]) == isMatch)
    }
}
