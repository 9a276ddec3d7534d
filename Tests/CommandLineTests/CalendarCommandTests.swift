import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("A command about calendars")
struct CalendarCommandTests {
    private static func run(_ commands: [[String]]) async throws -> [CommandProcess.Outcome] {
        let listed = [
            CalendarFeed(id: Sample.other, createdAt: Sample.start),
            CalendarFeed(id: Sample.me, createdAt: Sample.start, lastReadAt: Sample.start),
        ]
        let made = CalendarFeed(
            id: Sample.other, createdAt: Sample.start, url: "https://h/calendars/x.ics",
            webcal: "webcal://h/calendars/\u{1B}x.ics")
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.calendars) { _ in .json(made, status: 201) }
            router.immediate(.get, Routes.calendars) { _ in .json(CalendarFeedList(calendars: listed)) }
            router.immediate(.delete, Routes.calendars + "/{id}") { request in
                request.parameters == [Sample.other.description]
                    ? HTTPResponse(status: 204) : .problem(.notFound, "Nothing of yours has that id.")
            }
        }
        return try await CommandProcess.run(commands, at: server)
    }

    @Test("lists them with the time of the last reading")
    func list() async throws {
        let outcomes = try await Self.run([["calendars"], ["calendars", "--json"]])
        let text = outcomes[0].output
        #expect(text.contains("\(Sample.other)  made Fri 2027-01-15 08:00 UTC  never read\n"), "\(text)")
        #expect(text.contains("\(Sample.me)  made Fri 2027-01-15 08:00 UTC  last read Fri 2027-01-15"))
        let list = try JSON.decode(CalendarFeedList.self, from: Array(outcomes[1].output.utf8))
        #expect(list.calendars.count == 2)
    }

    @Test("prints a new address, alone where it is to be quiet, and nothing that a terminal obeys")
    func add() async throws {
        let outcomes = try await Self.run([["calendars", "add"], ["calendars", "add", "-q"]])
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty })
        #expect(outcomes[0].output.contains("\nwebcal://h/calendars/\u{FFFD}x.ics\n"))
        #expect(outcomes[0].output.contains("letsswitch calendars remove \(Sample.other)"))
        #expect(outcomes[1].output == "webcal://h/calendars/\u{FFFD}x.ics\n")
    }

    @Test("takes one back, and ends with 4 where there is none")
    func remove() async throws {
        let outcomes = try await Self.run([
            ["calendars", "remove", "\(Sample.other)"], ["calendars", "remove", "\(Sample.me)"],
            ["calendars", "remove", "x"],
        ])
        #expect(outcomes.map(\.status) == [0, 4, 2])
    }
}
