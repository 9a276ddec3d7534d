import Contract
import Postgres
import Testing

@testable import API
@testable import Database

extension RESTWorld {
    /// Makes a routine; `more` are further members of the body.
    func make(
        _ token: String, _ rule: String, _ time: String, more: String = ""
    ) async throws -> Routine {
        let body = #"{"task":"Write","rrule":"\#(rule)","localTime":"\#(time)"\#(more)}"#
        let answer = try await send("POST", "/v1/routines", token: token, body: body)
        #expect(answer.status == 201, "\(answer.text)")
        return try answer.routine()
    }

    func routine(_ id: Identifier, _ token: String) async throws -> Routine {
        try await send("GET", "/v1/routines/\(id)", token: token).routine()
    }

    func change(_ id: Identifier, _ token: String, _ body: String) async throws -> Routine {
        let answer = try await send("PATCH", "/v1/routines/\(id)", token: token, body: body)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.routine()
    }

    /// Returns all registrations, or those in one state, by slot.
    func registrations(_ token: String, _ state: String? = nil) async throws -> [Registration] {
        let filter = state.map { "&state=\($0)" } ?? ""
        var (registrations, cursor): ([Registration], String?) = ([], nil)
        repeat {
            let position = cursor.map { "&cursor=\($0)" } ?? ""
            let answer = try await send(
                "GET", "/v1/registrations?limit=200\(filter)\(position)", token: token)
            let page = try JSON.decode(RegistrationList.self, from: answer.body)
            registrations += page.registrations
            cursor = page.nextCursor
        } while cursor != nil
        return registrations
    }

    /// Cancels a registration by the call for that.
    func cancel(_ id: Identifier, _ token: String) async throws {
        let status = try await delete("/v1/registrations/\(id)", token)
        #expect(status == 204)
    }

    /// Returns a worker as a server has it.
    func worker() -> RoutineWorker {
        RoutineWorker(
            planner: RoutinePlanner(application.configuration, application.rules, application.timeZones),
            quiet: Quiet(application.configuration), pool: pool, now: application.now,
            changed: application.changed)
    }

    /// Has a routine worked on at the next step.
    func makeDue(_ id: Identifier) async throws {
        try await pool.query("UPDATE routines SET due_at = $2 WHERE id = $1", [id, clock.now])
    }
}

extension RawHTTP.Response {
    func routine() throws -> Routine { try JSON.decode(Routine.self, from: body) }
}
