import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The length of slots on the command line")
struct SlotLengthTests {
    /// A service with these lengths, and the queries and bodies that it got.
    private struct Service {
        let server: ScriptedServer
        let queries: Lock<[String?]>
        let bodies: Lock<[JSONValue]>

        init(lengths: [Int]?) async throws {
            let date = try #require(LocalDate("2027-12-31"))
            let (queries, bodies) = (Lock<[String?]>([]), Lock<[JSONValue]>([]))
            server = try await ScriptedServer { router, _ in
                router.immediate(.get, Routes.slots) { request in
                    let asked = request.query.first("minutes")
                    queries.withLock { $0.append(asked) }
                    let start = Timestamp(seconds: 1_830_243_600)
                    let minutes = lengths.map { asked.flatMap { Int($0) } ?? $0[0] }
                    let view = SlotView(
                        startsAt: start, endsAt: start.adding(.seconds((minutes ?? 30) * 60)),
                        localTime: "2027-12-31T09:00", state: .empty, others: 0)
                    return .json(
                        SlotList(
                            date: date, timeZone: "UTC", slots: [view], minutes: minutes, lengths: lengths
                        ))
                }
                router.immediate(.post, Routes.registrations) { request in
                    if let body = try? JSONValue.parse(request.body) {
                        bodies.withLock { $0.append(body) }
                    }
                    return .json(RegistrationList(registrations: []), status: 201)
                }
            }
            (self.queries, self.bodies) = (queries, bodies)
        }
    }

    @Test(
        "--for goes to the service with the list of slots and with the registration",
        arguments: ["50", "50m"])
    func asks(length: String) async throws {
        let service = try await Service(lengths: [25, 50])
        let process = try CommandProcess.signedIn()
        let times = ["--at", "next", "--at", "2027-12-31T09:00"]
        let made = try await process.run(
            ["register", "x", "--for", length] + times, server: service.server.url)
        #expect(made.status == 4 || made.status == 0, "\(made.errors)")
        let listed = try await process.run(["slots", "--for", length], server: service.server.url)
        #expect(
            listed.status == 0 && listed.output.contains("50 minutes each; others with --for 25"), "\(listed)"
        )
        #expect(Set(service.queries.withLock { $0 }) == ["50"])
        let local = try await process.run(
            ["register", "x", "--for", length, "--at", "2027-12-31T09:00"], server: service.server.url)
        #expect(local.status == 0, "\(local.errors)")
        #expect(service.bodies.withLock { $0.last }?["minutes"]?.int == 50)
    }

    @Test("without --for nothing is asked, and the usual length is shown")
    func usual() async throws {
        let service = try await Service(lengths: [25])
        let process = try CommandProcess.signedIn()
        let listed = try await process.run(["slots"], server: service.server.url)
        #expect(listed.output.contains("2027-12-31 in UTC, 25 minutes each\n"), "\(listed)")
        _ = try await process.run(["register", "x", "--at", "2027-12-31T09:00"], server: service.server.url)
        #expect(service.queries.withLock { $0 } == [nil])
        #expect(service.bodies.withLock { $0.last }?["minutes"] == nil)
    }

    @Test("a length that is none, or that a service with one length would ignore, is a mistake of usage")
    func refuses() async throws {
        let service = try await Service(lengths: nil)
        let process = try CommandProcess.signedIn()
        for length in ["x", "0", "-5", "25.5", "m"] {
            let listed = try await process.run(["slots", "--for=\(length)"], server: service.server.url)
            #expect(listed.status == 2 && listed.errors.contains("--for takes minutes"), "\(listed)")
        }
        #expect(service.queries.withLock { $0 }.isEmpty)
        let listed = try await process.run(["slots", "--for", "50"], server: service.server.url)
        #expect(listed.status == 2 && listed.errors.contains("leave out --for"), "\(listed)")
        let made = try await process.run(
            ["register", "x", "--at", "now", "--for", "50"], server: service.server.url)
        #expect(made.status == 2, "\(made)")
        #expect(service.bodies.withLock { $0 }.isEmpty)
        let plain = try await process.run(["slots"], server: service.server.url)
        #expect(plain.output.contains("2027-12-31 in UTC\n"), "\(plain)")
    }
}
