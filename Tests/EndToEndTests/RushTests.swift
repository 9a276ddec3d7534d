import CLinux
import Client
import Contract
import Glibc
import Postgres
import PostgresTesting
import Reactor
import TestKit
import Testing

@Suite("A rush on a server of two workers", .timeLimit(.minutes(5)))
struct RushTests {
    private static let count = 2_000

    /// The way of one person into the room.
    private struct Way: Sendable {
        let room: Identifier
        /// The reasons for which the stream or the socket was interrupted.
        var interruptions: [String] = []
    }

    @Test("of 2,000 streams at once, and of their people into rooms that open together, refuses nothing")
    func opening() async throws {
        try Self.allowDescriptors(3 * Self.count)
        let grid = Grid(slotSeconds: 3_600, leadSeconds: 0, lateSeconds: 300)
        try await Stage.with(grid, ["WORKERS": "2"]) { stage in
            // The first start creates the tables.
            await (try await stage.startOne()).stop()
            let opensAt = Timestamp(seconds: Timestamp.now.seconds + 8)
            let startsAt = Timestamp(seconds: opensAt.seconds / grid.slotSeconds * grid.slotSeconds)
                .adding(.seconds(grid.slotSeconds))
            try await Self.fill(stage.database, startsAt)
            let lead = startsAt.seconds - opensAt.seconds
            let server = try await stage.startOne(["LEAD_SECONDS": "\(lead)"])
            let ways = try await Self.enter(server)
            #expect(ways.count == Self.count)
            #expect(Dictionary(grouping: ways, by: \.room).values.allSatisfy { $0.count == 2 })
            let refusals = ways.flatMap(\.interruptions).filter { $0 != "The server ended the stream." }
            #expect(refusals.isEmpty, "\(refusals.count), the first: \(refusals[0])")
        }
    }

    /// Writes people with tokens, and registers them for the slot.
    private static func fill(_ database: TestDatabase, _ startsAt: Timestamp) async throws {
        try await database.withConnection { connection in
            try await connection.query(
                "INSERT INTO slots (starts_at, ends_at) VALUES ($1, $1 + interval '1 hour')", [startsAt])
            try await connection.query(
                """
                WITH people AS (
                    INSERT INTO users (id, name, time_zone, token_hash, created_at)
                    SELECT gen_random_uuid(), 'Person ' || i, 'UTC', sha256($1[i]::bytea), now()
                    FROM generate_series(1, cardinality($1::text[])) AS i
                    RETURNING id
                )
                INSERT INTO registrations (id, user_id, starts_at, task, created_at, updated_at)
                SELECT gen_random_uuid(), id, $2, 'Work', now(), now() FROM people
                """, [(0..<count).map(token), startsAt])
        }
    }

    private static func token(_ number: Int) -> String {
        let digits = String(number)
        return "lsk_" + String(repeating: "A", count: 42 - digits.count) + digits + "A"
    }

    /// Opens a stream for each person. Each enters the room that the stream names, asks for nothing else, and
    /// stays until all have entered.
    private static func enter(_ server: ServerProcess) async throws -> [Way] {
        let inside = Lock(0)
        let isComplete = Signal<Void>()
        return try await within("the entry of all people") {
            try await withThrowingTaskGroup(of: Way.self) { group in
                for number in 0..<count {
                    let api = APIClient(
                        server: try server.server, token: token(number), loop: TestLoops.next())
                    group.addTask {
                        let (way, connection) = try await Self.enter(api)
                        let entered = inside.withLock { inside in
                            inside += 1
                            return inside
                        }
                        if entered == count { isComplete.send() }
                        await isComplete.value()
                        await connection.stop()
                        return way
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
    }

    private static func enter(_ api: APIClient) async throws -> (Way, RoomConnection) {
        var interruptions: [String] = []
        for try await event in api.events(after: 0) {
            switch event {
            case .connected: break
            case .interrupted(let reason, _): interruptions.append("\(reason)")
            case .notification(let notification):
                guard case .roomOpened(let details) = notification.data else { continue }
                var way = Way(room: details.roomId, interruptions: interruptions)
                let connection = try RoomConnection(.ticket(url: details.socketUrl))
                let events = connection.events
                await connection.start()
                for await event in events {
                    if case .interrupted(let reason, _) = event { way.interruptions.append(reason) }
                    if case .connected = event { return (way, connection) }
                }
                throw TestError("the connection to the room has ended")
            }
        }
        throw TestError("the stream has ended")
    }

    @Test("has each stream wait for another time before it comes back, from its first block on")
    func retries() async throws {
        try await Stage.with(.openNow, ["WORKERS": "2"]) { stage in
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            var waits: Set<Int> = []
            for _ in 0..<8 {
                let stream = try await Wire.connect(port: server.port)
                await stream.write(
                    "GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(ada.token)\r\n\r\n")
                var text = ""
                while !text.contains("\n\n") {
                    text += String(decoding: try #require(try await stream.read()), as: UTF8.self)
                }
                let wait = try #require(Self.retry(in: text), "\(text)")
                #expect((1_000...3_000).contains(wait))
                waits.insert(wait)
                await stream.close()
            }
            #expect(waits.count > 1)
        }
    }

    @Test("answers with an empty stream and a later time where it cannot begin one now")
    func postponed() async throws {
        try await Stage.with(.openNow) { stage in
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            try await stage.database.withConnection { connection in
                try await connection.transaction { connection in
                    try await connection.query("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
                    let answer = try await Curl(
                        "\(server.url)/v1/events", "-H", "Authorization: Bearer \(ada.token)")
                    try Self.expectPostponed(answer)
                }
            }
            // An invalid token is refused.
            let refused = try await Curl("\(server.url)/v1/events", "-H", "Authorization: Bearer x")
            #expect(refused.status == 401)
        }
    }

    /// Expects an empty stream that a client takes for none that has begun.
    static func expectPostponed(_ answer: Curl) throws {
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.headers["content-type"] == "text/event-stream")
        let wait = try #require(retry(in: answer.body), "\(answer)")
        #expect((2_000...10_000).contains(wait))
        #expect(!answer.body.contains("\n\n") && answer.body.hasSuffix("\n"))
    }

    private static func retry(in text: String) -> Int? {
        text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("retry: ") }
            .flatMap { Int($0.dropFirst("retry: ".count)) }
    }

    /// Raises this process's limit of open files, which its servers inherit.
    private static func allowDescriptors(_ count: Int) throws {
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(getrlimit(files, &limit) == 0)
        if limit.rlim_cur >= count { return }
        limit.rlim_cur = limit.rlim_max
        try #require(setrlimit(files, &limit) == 0 && limit.rlim_cur >= count)
    }
}
