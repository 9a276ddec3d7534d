import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Testing

@Suite("The zone of times")
struct AccountZoneTests {
    private func serve(_ zone: String) async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            var user = Sample.user
            user.timeZone = zone
            let answer = UserAnswer(user: user)
            router.immediate(.get, Routes.me) { _ in .json(answer) }
            let slot = SlotSpan(startsAt: Sample.start, endsAt: Sample.start.adding(.seconds(1800)))
            let registration = Registration(
                id: Sample.me, slot: slot, task: "Write", tag: nil, state: .registered, roomId: nil,
                createdAt: Sample.start, updatedAt: Sample.start)
            let list = RegistrationList(registrations: [registration])
            router.immediate(.get, Routes.registrations) { _ in .json(list) }
        }
    }

    @Test("is the account's, whatever the machine's is")
    func account() async throws {
        let server = try await serve("Asia/Tokyo")
        let process = try CommandProcess.signedIn()
        for zone in ["UTC", ":/etc/localtime", "America/New_York", ""] {
            let outcome = try await process.run(
                path: try Child.command(), ["registrations"],
                environment: [
                    "LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=\(zone)",
                ])
            #expect(outcome.output.contains("Fri 2027-01-15 17:00–17:30 JST"), "\(zone): \(outcome)")
            #expect(outcome.errors.isEmpty, "\(outcome)")
        }
    }

    @Test("is the machine's where that has no rules for the account's, which is said")
    func unknown() async throws {
        for zone in ["Mars/Base", "../../etc/localtime"] {
            let server = try await serve(zone)
            let outcome = try await CommandProcess.signedIn().run(["registrations"], server: server.url)
            #expect(outcome.status == 0 && outcome.output.contains("08:00–08:30 UTC"), "\(outcome)")
            #expect(outcome.errors.contains("does not know the time zone \(zone)"), "\(outcome)")
        }
    }
}
