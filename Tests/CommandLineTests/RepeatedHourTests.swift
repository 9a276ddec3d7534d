import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@testable import letsswitch

@Suite("The hour that comes twice, and the one that is left out")
struct RepeatedHourTests {
    private static func instant(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    @Test("the ends of a session have their zones where the clocks change between them, or show one twice")
    func sessions() async throws {
        let registrations = try [
            "2027-03-28T00:30:00Z", "2027-10-30T23:30:00Z", "2027-10-31T00:30:00Z", "2027-10-31T01:00:00Z",
            "2027-10-31T02:00:00Z",
        ].map { text in
            let start = try Self.instant(text)
            return Registration(
                id: Sample.me, slot: SlotSpan(startsAt: start, endsAt: start.adding(.seconds(1800))),
                task: "Write", tag: nil, state: .registered, roomId: nil, createdAt: start, updatedAt: start)
        }
        var user = Sample.user
        user.timeZone = "Europe/Berlin"
        let answer = UserAnswer(user: user)
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.me) { _ in .json(answer) }
            router.immediate(.get, Routes.registrations) { _ in
                .json(RegistrationList(registrations: registrations))
            }
        }
        let run = try await CommandProcess.signedIn().run(["registrations"], server: server.url)
        for text in [
            "01:30 CET–03:00 CEST", "01:30 CEST–02:00 CEST", "02:30 CEST–02:00 CET", "02:00 CET–02:30 CET",
            " 03:00–03:30 CET",
        ] { #expect(run.output.contains(text), "\(run.output)") }
    }

    @Test("a day lists each of the two with its offset")
    func day() async throws {
        let slots = try [
            ("2027-10-30T23:30:00Z", "01:30", "+02:00"), ("2027-10-31T00:00:00Z", "02:00", "+02:00"),
            ("2027-10-31T01:00:00Z", "02:00", "+01:00"),
        ].map { text, time, offset in
            let start = try Self.instant(text)
            return SlotView(
                startsAt: start, endsAt: start.adding(.seconds(1800)), localTime: "2027-10-31T" + time,
                utcOffset: offset, state: .empty, others: 0)
        }
        let list = SlotList(
            date: try #require(LocalDate("2027-10-31")), timeZone: "Europe/Berlin", slots: slots)
        #expect(slots.map(list.clock(of:)) == ["01:30", "02:00 +02:00", "02:00 +01:00"])
        let server = try await ScriptedServer(.get, Routes.slots) { _ in .json(list) }
        let run = try await CommandProcess.signedIn().run(["slots", "2027-10-31"], server: server.url)
        #expect(run.output.contains("02:00 +02:00") && run.output.contains("02:00 +01:00"), "\(run)")
    }
}
