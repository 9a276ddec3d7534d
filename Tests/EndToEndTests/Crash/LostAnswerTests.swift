import Postgres
import PostgresTesting
import Testing

@Suite(
    "A server that is killed between the effect of a request and its answer", .timeLimit(.minutes(5)))
struct LostAnswerTests {
    private static let key = "0193f2d2-7c1e-4f3a-9a7e-1d2c3b4a5f60"

    /// Sends a POST to a server without reading the answer, waits until its effect is stored, and kills the
    /// server. Then sends it twice to another server, and returns both answers.
    private static func lose(
        _ path: String, _ body: String, token: String? = nil, _ server: ServerProcess, on stage: Stage
    ) async throws -> [Curl] {
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        let before = try await count("idempotency_keys", stage)
        let wire = try await Wire.connect(port: server.ownPort)
        await wire.setPaused(true)
        await wire.write(
            "POST \(path) HTTP/1.1\r\nHost: h\r\n\(authorization)Idempotency-Key: \"\(key)\"\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try await stage.database.withConnection { connection in
            let sql = "SELECT count(*) FROM idempotency_keys"
            while try await connection.query(sql)[0].decode(0, Int64.self) == before {
                try Task.checkCancellation()
            }
        }
        await server.kill()
        await wire.close()
        let next = try await stage.startOne()
        let fields = [
            "-H", "Idempotency-Key: \"\(key)\"", "-H", "Content-Type: application/json", "-d", body,
        ]
        let sender = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return [
            try await Curl(["\(next.url)\(path)"] + fields + sender),
            try await Curl(["\(next.url)\(path)"] + fields + sender),
        ]
    }

    private static func count(_ table: String, _ stage: Stage) async throws -> Int64 {
        try await stage.database.withConnection { connection in
            try await connection.query("SELECT count(*) FROM \(table)")[0].decode(0, Int64.self)
        }
    }

    @Test("has made one account, whose token comes with the answer when the request comes again")
    func signUp() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let answers = try await Self.lose("/v1/users", #"{"name":"Ada"}"#, server, on: stage)
            for answer in answers {
                #expect(answer.status == 201 && answer.headers["idempotent-replayed"] == "true")
            }
            #expect(answers[0].body == answers[1].body)
            #expect(try await Self.count("users", stage) == 1)
        }
    }

    @Test("has registered once, and says so when the request comes again")
    func registration() async throws {
        try await Stage.with { stage in
            let server = try await stage.startOne()
            let ada = try await Person(named: "Ada", on: server)
            let slot = stage.grid.openSlot
            let answers = try await Self.lose(
                "/v1/registrations", #"{"task":"Work","slots":["\#(slot)"]}"#, token: ada.token, server,
                on: stage)
            for answer in answers {
                #expect(answer.status == 201 && answer.headers["idempotent-replayed"] == "true")
                #expect(answer.headers["location"]?.hasPrefix("/v1/registrations/") == true)
            }
            #expect(answers[0].body == answers[1].body)
            #expect(try await Self.count("registrations", stage) == 1)
        }
    }
}
