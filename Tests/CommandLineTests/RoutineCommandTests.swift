import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("A command about routines")
struct RoutineCommandTests {
    private static func routine(_ rule: String = "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10") throws -> Routine {
        let day = try #require(LocalDate("2027-01-18"))
        return Routine(
            id: Sample.other, task: "Write\u{1B}", tag: "book", rrule: try RecurrenceRule(rule),
            localTime: try #require(LocalTime("09:00")), timeZone: "Europe/Berlin", startDate: day,
            exdates: [], state: .active, createdAt: Sample.start, updatedAt: Sample.start,
            next: [
                RoutineOccurrence(
                    date: day, startsAt: Sample.start, state: .registered, registrationId: Sample.me)
            ],
            problems: [
                RoutineOccurrence(
                    date: day.adding(days: 3), startsAt: Sample.start.adding(.seconds(3 * 86_400)),
                    state: .conflict)
            ])
    }

    /// Runs the commands; returns their outcomes, and the bodies and paths that the server got.
    private static func run(
        _ commands: [[String]]
    ) async throws -> ([CommandProcess.Outcome], requests: [String]) {
        let routine = try routine()
        let seen = Lock<[String]>([])
        let handler = Router.Handler.immediate { request in
            let text = String(decoding: request.body, as: UTF8.self)
            seen.withLock {
                $0.append("\(request.head.method.rawValue) \(request.head.path) \(text)")
            }
            if request.head.method == .delete { return HTTPResponse(status: 204) }
            if request.head.path == Routes.routines, request.head.method == .get {
                return .json(RoutineList(routines: [routine]))
            }
            return .json(routine, status: request.head.method == .post ? 201 : 200)
        }
        let server = try await ScriptedServer { router, _ in
            let path = Routes.routines + "/{id}"
            for method in [HTTPMethod.get, .post] { router.on(method, Routes.routines, handler) }
            for method in [HTTPMethod.get, .patch, .delete] { router.on(method, path, handler) }
            router.on(.post, path + "/skips", handler)
            router.on(.delete, path + "/skips/{date}", handler)
        }
        let outcomes = try await CommandProcess.run(commands.map { ["routine"] + $0 }, at: server)
        return (outcomes, seen.withLock { $0 })
    }

    @Test("makes one of what people say, and shows its days")
    func add() async throws {
        let (outcomes, requests) = try await Self.run([
            [
                "add", "Write", "--every", "mon,thu", "--at", "9:00", "--count", "10", "--tag", "book",
                "--except", "2027-01-21",
            ],
            ["add", "Write", "--rrule", "FREQ=DAILY", "--at", "09:00", "--json"],
        ])
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty }, "\(outcomes)")
        let bodies = try requests.map { request in
            let body = request.split(separator: " ", maxSplits: 2)[2]
            return try NewRoutine(bytes: Array(body.utf8))
        }
        #expect(bodies.map(\.rrule.description) == ["FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10", "FREQ=DAILY"])
        #expect(bodies[0].exdates.map(\.description) == ["2027-01-21"] && bodies[0].tag == "book")
        let text = outcomes[0].output
        #expect(text.contains("every Mon, Thu at 09:00 (Europe/Berlin), 10 times, active\n"), "\(text)")
        #expect(text.contains("Fri 2027-01-15 08:00 UTC  registered  \(Sample.me)\n"))
        #expect(text.contains("Not registered:\n  Mon 2027-01-18 08:00 UTC  conflict  You have"))
        #expect(!text.contains("\u{1B}"))
        let read = try JSON.decode(Routine.self, from: Array(outcomes[1].output.utf8))
        #expect(try read == Self.routine())
    }

    @Test("lists, shows, changes, pauses, skips and ends")
    func others() async throws {
        let id = Sample.other.description
        let (outcomes, requests) = try await Self.run([
            ["list"], ["show", id],
            ["change", id, "--at", "10:00", "--no-tag", "--from", "2027-01-20"], ["pause", id],
            ["resume", id], ["skip", id, "2027-01-21"], ["skip", id, "2027-01-21", "--undo"],
            ["end", id], ["end", id, "--keep"],
        ])
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty }, "\(outcomes)")
        #expect(outcomes[0].output.contains("active, 1 not registered"))
        let path = "/v1/routines/\(id)"
        #expect(
            requests.map { String($0.split(separator: " ", maxSplits: 2).prefix(2).joined(separator: " ")) }
                == [
                    "GET /v1/routines", "GET \(path)", "PATCH \(path)", "PATCH \(path)", "PATCH \(path)",
                    "POST \(path)/skips", "DELETE \(path)/skips/2027-01-21", "GET \(path)",
                    "DELETE \(path)", "DELETE \(path)",
                ])
        let change = try RoutinePatch(
            bytes: Array(requests[2].split(separator: " ", maxSplits: 2)[2].utf8))
        #expect(
            change
                == RoutinePatch(
                    tag: .clear, localTime: LocalTime("10:00"), from: LocalDate("2027-01-20")))
    }

    @Test(
        "says how it is used where it cannot be understood",
        arguments: [
            ["add", "T", "--every", "day"], ["add", "T", "--at", "09:00"],
            ["add", "T", "--at", "noon", "--every", "day"], ["add", "T", "--at", "09:00", "--every", "t"],
            ["add", "T", "--at", "09:00", "--every", "day", "--count", "0"],
            ["add", "T", "--at", "09:00", "--every", "day", "--interval", "x"],
            ["add", "T", "--at", "09:00", "--every", "day", "--count", "2", "--until", "2027-03-01"],
            ["add", "T", "--at", "09:00", "--rrule", "FREQ=MONTHLY"],
            ["add", "T", "--at", "09:00", "--rrule", "FREQ=DAILY", "--every", "day"],
            ["add", "T", "--at", "09:00", "--count", "2"], ["show", "x"], ["skip", "x"],
            ["change", "00000000-0000-0000-0000-000000000002"],
            ["change", "00000000-0000-0000-0000-000000000002", "--tag", "a", "--no-tag"],
            ["skip", "00000000-0000-0000-0000-000000000002", "soon"],
        ])
    func usage(_ command: [String]) async throws {
        let (outcomes, requests) = try await Self.run([command])
        #expect(outcomes[0].status == 2 && requests.isEmpty, "\(outcomes[0])")
    }

    @Test(
        "says each rule in words",
        arguments: [
            ("FREQ=DAILY", "every day at 09:00 (Europe/Berlin)"),
            (
                "FREQ=DAILY;INTERVAL=3;UNTIL=20270331",
                "every 3 days at 09:00 (Europe/Berlin), until 2027-03-31"
            ),
            ("FREQ=WEEKLY", "every Mon at 09:00 (Europe/Berlin)"),
            ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU", "every 2 weeks on Sat, Sun at 09:00 (Europe/Berlin)"),
            ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks on Mon at 09:00 (Europe/Berlin)"),
            ("FREQ=DAILY;BYDAY=TU", "every Tue at 09:00 (Europe/Berlin)"),
        ])
    func words(_ rule: String, text: String) throws {
        #expect(try RoutineWords.describe(Self.routine(rule)) == text)
    }
}
