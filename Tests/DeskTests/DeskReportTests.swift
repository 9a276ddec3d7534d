import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database

@Suite("Reports at the desk")
struct DeskReportTests {
    /// Makes a report of Ann about Eve, and returns its id and that of Eve.
    private static func report(_ desk: DeskWorld) async throws -> (id: Int64, about: Identifier) {
        let (ann, eve) = (try await desk.person("Ann"), try await desk.person("Eve"))
        let registration = try await desk.world.register(eve.token, "2027-03-01T13:00:00Z")
        try await desk.world.pool.query(
            """
            INSERT INTO blocks (user_id, other_id, registration_id, report, created_at)
            VALUES ($1, $2, $3, 'Eve was rude', $4)
            """, [ann.id, eve.id, registration, desk.world.clock.now])
        let id = try await desk.world.pool.query("SELECT id FROM reports")[0].decode(0, Int64.self)
        return (id, eve.id)
    }

    @Test("are taken, dismissed and opened again, and each list has those of its state")
    func states() async throws {
        try await DeskWorld.with { desk in
            let (id, _) = try await Self.report(desk)
            let token = try await desk.token(.support)
            func act(_ verb: String) async throws -> RawHTTP.Response {
                try await desk.send("POST", "/reports/\(id)/\(verb)", token: token)
            }
            func isListed(_ state: String) async throws -> Bool {
                let list = try await desk.send("GET", "/reports?state=\(state)", token: token).json()
                return list["reports"]?.array?.contains { $0["id"]?.int == id } ?? false
            }
            #expect(try await isListed("new"))
            let taken = try await act("take").json()
            #expect(taken["state"]?.string == "taken" && taken["takenBy"]?.string == "support")
            #expect(try await isListed("taken"))
            #expect(try await isListed("new") == false)
            let dismissed = try await act("dismiss").json()
            #expect(dismissed["state"]?.string == "closed")
            #expect(dismissed["outcome"]?.string == "dismissed")
            #expect(try await isListed("closed"))
            #expect(try await isListed("taken") == false)
            for verb in ["take", "dismiss"] {
                let refused = try await act(verb)
                #expect(refused.status == 409 && refused.problem == "conflict", "\(verb): \(refused.text)")
            }
            #expect(try await act("reopen").json()["outcome"] == .null)
            #expect(try await isListed("closed") == false)
            #expect(try await desk.actions() == ["report.take", "report.dismiss", "report.reopen"])
            #expect(try await desk.verification().fault == nil)
        }
    }

    @Test("have notes that only reveal shows, with who wrote them")
    func notes() async throws {
        try await DeskWorld.with { desk in
            let (id, _) = try await Self.report(desk)
            let token = try await desk.token(.support)
            let path = "/reports/\(id)"
            let empty = try await desk.send("POST", "\(path)/notes", token: token, body: #"{"text":""}"#)
            #expect(empty.status == 422 && empty.pointers == ["/text"])
            let most = String(repeating: "x", count: 2000)
            for (text, status) in [(most, 201), (most + "x", 422), ("She <b>called</b>.", 201)] {
                let note = try await desk.send(
                    "POST", "\(path)/notes", token: token, body: #"{"text":"\#(text)"}"#)
                #expect(note.status == status, "\(text.count): \(note.text)")
            }
            let report = try await desk.send("GET", path, token: token)
            #expect(!report.text.contains("called"))
            let revealed = try await desk.send("POST", "\(path)/reveal", token: token).json()
            let notes = revealed["notes"]?.array ?? []
            #expect(notes.count == 2 && notes.allSatisfy { $0["operator"]?.string == "support" })
            #expect(notes.contains { $0["text"]?.string == "She <b>called</b>." })
            #expect(try await desk.actions() == ["report.note", "report.note", "report.reveal"])
        }
    }

    @Test("are closed by the suspension that names them, and by none that names one about another person")
    func suspension() async throws {
        try await DeskWorld.with { desk in
            let (id, about) = try await Self.report(desk)
            let bea = try await desk.person("Bea")
            let token = try await desk.token(.support)
            let body = #"{"reason":"Rudeness","reportId":\#(id)}"#
            try await desk.send("POST", "/people/\(bea.id)/suspend", token: token, body: body, expecting: 409)
            #expect(try await desk.world.send("GET", "/v1/me", token: bea.token).status == 200)
            try await desk.send("POST", "/people/\(about)/suspend", token: token, body: body, expecting: 200)
            let report = try await desk.send("GET", "/reports/\(id)", token: token).json()
            #expect(report["outcome"]?.string == "suspended")
        }
    }
}
