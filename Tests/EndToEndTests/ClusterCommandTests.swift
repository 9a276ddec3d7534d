import Client
import PostgresTesting
import TestKit
import Testing

@Suite("letsswitch-server cluster", .timeLimit(.minutes(5)))
struct ClusterCommandTests {
    private static func run(_ stage: Stage, _ arguments: String...) async throws -> Finished {
        try await Finished.run(
            try BuiltProgram.server.path(), ["cluster"] + arguments,
            environment: ["DATABASE_URL": stage.database.url])
    }

    @Test("prints who serves, and whether each reaches each")
    func servers() async throws {
        try await Stage.with { stage in
            let one = try await stage.startOne(["SERVER_NAME": "one"])
            let two = try await stage.startOne(["SERVER_NAME": "two"])
            let people = try await Person.crowd(2, on: one)
            for person in people { _ = try await person.enter(stage.grid.openSlot) }
            let well = try await Self.run(stage)
            #expect(well.status == 0, "\(well)")
            #expect(well.errors.isEmpty)
            let lines = well.output.split(separator: "\n").map(String.init)
            #expect(lines[0].hasPrefix("server") && lines[0].hasSuffix("rooms"))
            for (line, server) in zip(lines[1...2], [one, two]) {
                #expect(line.contains("http://127.0.0.1:\(server.port)") && line.contains("  serving  "))
                #expect(line.contains("s left"), "\(line)")
            }
            let rooms = lines[1...2].compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            #expect(rooms.sorted() == [0, 1])
            #expect(lines[3] == "2 servers are running, and each reaches each.", "\(well)")
            await two.kill()
            // Its lease lasts for a few seconds more.
            while try await !Self.run(stage).output.contains("One server is running, and answers.") {
                try Task.checkCancellation()
            }
        }
    }

    @Test("says in one line which server no other reaches, and is no success then")
    func unreachable() async throws {
        try await Stage.with { stage in
            _ = try await stage.startOne(["SERVER_NAME": "one"])
            _ = try await stage.startOne(["SERVER_NAME": "two", "INTERNAL_URL": "http://127.0.0.1:1"])
            let run = try await Self.run(stage)
            #expect(run.status == 1, "\(run)")
            let expected = [
                "2 servers are running.",
                "This command does not reach two at http://127.0.0.1:1: nothing listens there.",
                "one does not reach two at http://127.0.0.1:1.",
            ]
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(Array(lines.dropFirst(3)) == expected, "\(run)")
        }
    }

    @Test("counts the sockets that a balancer brings to the server of their room")
    func balancer() async throws {
        try await Stage.with { stage in
            let one = try await stage.startOne(["SERVER_NAME": "one"])
            let proxy = try await TCPProxy(to: [one.port])
            let url = "http://127.0.0.1:\(proxy.port)"
            let right = "32 landed at the server of their room; 0 landed at another one"
            let alone = try await Self.run(stage, "--balancer", url)
            #expect(alone.status == 0 && alone.output.contains(right), "\(alone)")
            let two = try await stage.startOne(["SERVER_NAME": "two"])
            let deaf = try await Self.run(stage, "--balancer", url)
            #expect(!deaf.output.contains(right) && deaf.output.contains("landed at another one"), "\(deaf)")
            await proxy.redirect(to: [two.port, one.port])
            let inTurn = try await Self.run(stage, "--balancer", url)
            #expect(!inTurn.output.contains("got no answer"), "\(inTurn)")
        }
    }

    @Test("ends in one line without a database, and where the schema is another one; it migrates nothing")
    func noDatabase() async throws {
        let program = try BuiltProgram.server.path()
        let nowhere = try await Finished.run(
            program, ["cluster"], environment: ["DATABASE_URL": "postgresql://127.0.0.1:1/none"])
        #expect(nowhere.status == 1 && nowhere.output.isEmpty, "\(nowhere)")
        #expect(nowhere.errorLines.count == 1 && nowhere.errors.contains("cannot be reached"), "\(nowhere)")
        let folder = TemporaryFolder()
        let none = try await Finished.run(program, ["cluster"], environment: ["DATA_DIR": folder.path])
        #expect(none.status == 1 && none.errors.contains("no private database"), "\(none)")
        try await Stage.with { stage in
            for _ in 0..<2 {
                let run = try await Self.run(stage)
                #expect(run.status == 1 && run.errorLines.count == 1, "\(run)")
                #expect(run.errors.contains("schema"), "\(run)")
            }
        }
    }
}
