import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The calls about calendars")
struct APIClientCalendarTests {
    @Test("make one, list them, and take one back")
    func calendars() async throws {
        let made = CalendarFeed(
            id: Sample.other, createdAt: Sample.start, url: "http://h/calendars/x.ics",
            webcal: "webcal://h/calendars/x.ics")
        let listed = CalendarFeed(id: Sample.other, createdAt: Sample.start, lastReadAt: Sample.start)
        let server = try await ScriptedServer { router, _ in
            router.immediate(.post, Routes.calendars) { _ in .json(made, status: 201) }
            router.immediate(.get, Routes.calendars) { _ in .json(CalendarFeedList(calendars: [listed])) }
            router.immediate(.delete, Routes.calendars + "/{id}") { request in
                request.parameters == [Sample.other.description]
                    ? HTTPResponse(status: 204) : .problem(.notFound, "")
            }
        }
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.addCalendar() == made)
        #expect(try await api.calendars() == [listed])
        try await api.removeCalendar(Sample.other)
        await #expect(throws: ClientError.self) { try await api.removeCalendar(Sample.me) }
    }
}
