import Contract
import HTTP1
import PostgresTesting
import Reactor
import Testing

@Suite("Several servers of which one is set up wrong", .timeLimit(.minutes(5)))
struct ClusterFaultTests {
    /// Returns the lines of the log with this text.
    private static func lines(_ text: String, _ server: ServerProcess) -> Int {
        server.log.split(separator: "\n").count { $0.contains(text) }
    }

    /// Enters two people into one room, and returns it with them.
    private static func meet(_ stage: Stage, on server: ServerProcess) async throws -> ([Person], Identifier)
    {
        let people = try await Person.crowd(2, on: server)
        let room = try await people[0].enter(stage.grid.openSlot).roomId
        #expect(try await people[1].enter(stage.grid.openSlot).roomId == room)
        return (people, room)
    }

    /// Has two people meet on two servers, in both directions.
    private static func cheer(_ people: [Person], _ room: Identifier, _ servers: [ServerProcess]) async throws
    {
        for turn in [servers, servers.reversed()] {
            let one = try await RoomSocket.open(room, as: try people[0].at(turn[0]))
            let other = try await RoomSocket.open(room, as: try people[1].at(turn[1]))
            await one.cheer()
            _ = try await other.skip(to: "aleResponse")
            await one.drop()
            await other.drop()
        }
    }

    @Test("a clock two and a half minutes off: one line, and people meet all the same")
    func clock() async throws {
        try await Stage.with { stage in
            let wrong = try await stage.startOne(WrongClockTests.ahead())
            let right = try await stage.startOne()
            let (people, room) = try await Self.meet(stage, on: right)
            try await Self.cheer(people, room, [wrong, right])
            #expect(Self.lines("clock differs from the database's", wrong) == 1, "\(wrong.log)")
            #expect(!right.log.contains("clock differs"), "\(right.log)")
            let report = try await Finished.run(
                try BuiltProgram.server.path(), ["cluster"], environment: ["DATABASE_URL": stage.database.url]
            )
            #expect(report.status == 0, "\(report)")
            #expect(
                report.output.contains("differs from the database's, by which all servers go."), "\(report)")
        }
    }

    @Test("two servers with one name: one line, and people meet all the same")
    func name() async throws {
        try await Stage.with { stage in
            let servers = [
                try await stage.startOne(["SERVER_NAME": "one"]),
                try await stage.startOne(["SERVER_NAME": "one"]),
            ]
            let (people, room) = try await Self.meet(stage, on: servers[0])
            try await Self.cheer(people, room, servers)
            let text = "two servers have one SERVER_NAME"
            for server in servers {
                #expect(await server.child.hasPrinted(text, on: .standardError))
                #expect(Self.lines(text, server) == 1, "\(server.log)")
            }
        }
    }

    @Test(
        "an INTERNAL_URL that leads nowhere or to a stranger: one line, 503 elsewhere, and nothing is lost",
        arguments: ["nowhere", "stranger", "server"])
    func address(kind: String) async throws {
        // The stranger closes every connection.
        let stranger = try await TCPProxy()
        try await Stage.with { stage in
            let port = kind == "nowhere" ? 1 : stranger.port
            let wrong = try await stage.startOne(["INTERNAL_URL": "http://127.0.0.1:\(port)"])
            let line = "other servers do not reach this one: set INTERNAL_URL"
            #expect(await wrong.child.hasPrinted(line, on: .standardError))
            // The room is at the only server there is.
            let (people, room) = try await Self.meet(stage, on: wrong)
            let one = try await RoomSocket.open(room, as: people[0])
            let right = try await stage.startOne()
            if kind == "server" { await stranger.redirect(to: [right.port]) }
            for _ in 0..<2 {
                let error = await #expect(throws: RoomSocket.APIError.self) {
                    _ = try await RoomSocket.open(room, as: try people[1].at(right))
                }
                #expect(error?.status == 503 && error?.head.headers.contains("retry-after") == true)
            }
            // The balancer asks the next server after a 503, and there is the room.
            let other = try await RoomSocket.open(room, as: people[1])
            await one.cheer("1")
            _ = try await one.skip(to: "ack")
            _ = try await other.skip(to: "aleResponse")
            #expect(Self.lines(line, wrong) == 1, "\(wrong.log)")
            #expect(!right.log.contains("taken over"), "\(right.log)")
        }
    }
}
