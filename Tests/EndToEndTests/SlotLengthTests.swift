import Client
import Contract
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

/// Servers with slots of five and ten minutes, one each minute. What opens within five minutes is open now.
@Suite("Slots of several lengths", .timeLimit(.minutes(5)))
struct SlotLengthTests {
    private static let grid = Grid(slotSeconds: 1800, leadSeconds: 300, lateSeconds: 300)
    private static let settings = ["SLOT_LENGTHS": "5,10", "SLOT_GRID": "1"]

    /// The start of the second minute from now.
    private var soon: Timestamp { Timestamp(seconds: (Timestamp.now.seconds / 60 + 2) * 60) }

    @Test("two servers let people of one length meet, until its own end, and keep the sessions of each apart")
    func meet() async throws {
        try await Stage.with(Self.grid, Self.settings) { stage in
            let (one, other) = (try await stage.startOne(), try await stage.startOne())
            let startsAt = soon
            let ada = try await Person(named: "Ada", on: one)
            let bea = try await Person(named: "Bea", on: other)
            let cid = try await Person(named: "Cid", on: other)
            let made = try await ada.register(startsAt, minutes: 10)
            #expect(made.slot == SlotSpan(startsAt: startsAt, endsAt: startsAt.adding(.seconds(600))))
            try await bea.register(startsAt, minutes: 10)
            #expect(
                try await cid.register(startsAt, minutes: nil).slot.endsAt == startsAt.adding(.seconds(300)))
            let room = try await ada.roomOpened()
            #expect(room.startsAt == startsAt && room.closesAt == startsAt.adding(.seconds(600)))
            #expect(try await bea.roomOpened().roomId == room.roomId)
            #expect(try await cid.roomOpened().roomId != room.roomId)
            let socket = try await RoomSocket.open(room.roomId, as: ada)
            let handshake = try await socket.message("handshake")
            #expect(handshake["startsAt"]?.string == "\(startsAt)")
            #expect(handshake["closesAt"]?.string == "\(startsAt.adding(.seconds(600)))")
            // The other server has matched Bea: this one may learn of it just after the handshake.
            if handshake["members"]?.array?.count != 2 { try await socket.becomes(["Ada", "Bea"]) }

            // A session at the same time is refused by either server; the next one is not.
            for server in [one, other] {
                let error = await #expect(throws: ClientError.self) {
                    try await ada.at(server).register(startsAt.adding(.seconds(300)), minutes: 5)
                }
                guard case .problem(let problem)? = error else {
                    throw TestError("\(String(describing: error))")
                }
                #expect(problem.name == .overlaps && problem.status == 409)
            }
            try await ada.at(other).register(startsAt.adding(.seconds(600)), minutes: 5)
            try await ada.at(other).api.cancel(made.id)
            try await ada.register(startsAt.adding(.seconds(300)), minutes: 5)
        }
    }

    @Test("the command line shows and takes a length, and says which sessions would overlap")
    func commandLine() async throws {
        try await Stage.withServer(Self.grid, Self.settings) { _, server in
            let bob = try CommandLineUser(server)
            #expect(try await bob.run("signup", "Bob").status == 0)
            let slots = try await bob.run("slots", "tomorrow", "--for", "10")
            #expect(slots.output.contains("10 minutes each; others with --for 5"), "\(slots)")
            let time = "\(soon)"
            let made = try await bob.run("register", "Read", "--at", time, "--for", "10")
            #expect(made.status == 0, "\(made)")
            let refused = try await bob.run("register", "Write", "--at", time)
            #expect(
                refused.status == 5 && refused.errors.contains("You have a session from \(time)"),
                "\(refused)")
            #expect(try await bob.run("register", "Read", "--at", time, "--for", "7").status == 2)
            #expect(try await bob.run("slots", "--for", "x").status == 2)
        }
    }

    @Test(
        "without the extension, and the right to make it, the start stops with the command to run"
    )
    func extensionMissing() async throws {
        try await Permits.shared.with {
            try await TestDatabase.with { database in
                let role = "lesser_\(database.name)"
                // The last user of an address counts.
                let separator = database.url.contains("://") ? "&" : " "
                try await database.withConnection { connection in
                    try await connection.simple(
                        """
                        CREATE ROLE \(role) LOGIN PASSWORD 'x';
                        GRANT USAGE, CREATE ON SCHEMA public TO \(role)
                        """)
                }
                let end = try await Finished.run(
                    try BuiltProgram.server.path(), [],
                    environment: [
                        "LOG_LEVEL": "error", "PORT": "0", "SLOT_LENGTHS": "25,50",
                        "DATABASE_URL": "\(database.url)\(separator)user=\(role)\(separator)password=x",
                    ])
                #expect(end.status == 1, "\(end)")
                #expect(end.errorLines.count == 1, "\(end)")
                #expect(end.errors.contains("run: CREATE EXTENSION btree_gist;"), "\(end)")
                try await database.withConnection { connection in
                    try await connection.simple("DROP OWNED BY \(role); DROP ROLE \(role)")
                }
            }
        }
    }
}
