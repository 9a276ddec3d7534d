import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The calls about routines")
struct APIClientRoutineTests {
    @Test("make, list, read, change and end them, and leave days out")
    func routines() async throws {
        let day = try #require(LocalDate("2027-03-28"))
        let routine = try Self.routine()
        let seen = Lock<[String]>([])
        let note: @Sendable (HTTPRequest) -> Void = { request in
            let tag = request.head.headers.all("If-Match").map { " \($0)" }.joined()
            seen.withLock { $0.append("\(request.head.method.rawValue) \(request.head.path)\(tag)") }
        }
        let server = try await ScriptedServer { router, _ in
            let shown: @Sendable (Int) -> Router.Handler = { status in
                .immediate { request in
                    note(request)
                    return .json(routine, status: status)
                }
            }
            let gone = Router.Handler.immediate { request in
                note(request)
                let isKept = request.query.all("registrations") == ["keep"]
                return isKept || request.parameters.count == 2
                    ? HTTPResponse(status: 204) : .problem(.notFound, "")
            }
            let path = Routes.routines + "/{id}"
            router.on(.post, Routes.routines, shown(201))
            router.immediate(.get, Routes.routines) { request in
                .json(
                    RoutineList(routines: [routine], nextCursor: request.query.all("cursor").first))
            }
            router.on(.get, path, shown(200))
            router.on(.patch, path, shown(200))
            router.on(.delete, path, gone)
            router.on(.post, path + "/skips", shown(201))
            router.on(.delete, path + "/skips/{date}", gone)
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        let new = NewRoutine(task: "Write", rrule: routine.rrule, localTime: routine.localTime)
        #expect(try await api.makeRoutine(new) == routine)
        #expect(try await api.routines(cursor: "x") == RoutineList(routines: [routine], nextCursor: "x"))
        #expect(try await api.routine(routine.id) == routine)
        #expect(try await api.taggedRoutine(routine.id).value == routine)
        let patch = RoutinePatch(paused: true)
        #expect(try await api.changeRoutine(routine.id, patch, ifMatch: "\"a\"") == routine)
        #expect(try await api.skip(day, ofRoutine: routine.id) == routine)
        try await api.unskip(day, ofRoutine: routine.id)
        try await api.deleteRoutine(routine.id, keepingRegistrations: true)
        await #expect(throws: ClientError.self) { try await api.deleteRoutine(routine.id) }
        let path = "/v1/routines/\(routine.id)"
        #expect(
            seen.withLock { $0 } == [
                "POST /v1/routines", "GET \(path)", "GET \(path)", "PATCH \(path) \"a\"",
                "POST \(path)/skips",
                "DELETE \(path)/skips/2027-03-28", "DELETE \(path)", "DELETE \(path)",
            ])
    }

    private static func routine() throws -> Routine {
        let day = try #require(LocalDate("2027-03-28"))
        return Routine(
            id: Sample.other, task: "Write", tag: nil, rrule: try RecurrenceRule("FREQ=WEEKLY;BYDAY=SU"),
            localTime: try #require(LocalTime("09:00")), timeZone: "UTC", startDate: day, exdates: [day],
            state: .active, createdAt: Sample.start, updatedAt: Sample.start,
            next: [
                RoutineOccurrence(
                    date: day, startsAt: Sample.start, state: .registered, registrationId: Sample.me,
                    adjusted: .gap)
            ],
            problems: [RoutineOccurrence(date: day, startsAt: Sample.start, state: .conflict)])
    }
}
