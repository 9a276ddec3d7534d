import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("A command that says how a session went")
struct OutcomeCommandTests {
    /// Returns a registration of a half-hour slot that began so many minutes ago.
    private static func registration(
        _ number: Int, minutesAgo: Int, _ state: RegistrationState
    ) -> Registration {
        let start = WallClock.now.adding(.seconds(-60 * minutesAgo))
        return Registration(
            id: Identifier(value: UInt128(number)),
            slot: SlotSpan(startsAt: start, endsAt: start.adding(.seconds(1800))), task: "W\u{1B}rite",
            tag: nil, state: state, roomId: Sample.room, createdAt: start, updatedAt: start)
    }

    /// Starts a server with registrations on two pages, and an open room.
    private static func serve(_ asked: Lock<[String]>) async throws -> ScriptedServer {
        let all = [
            registration(1, minutesAgo: 90, .attended), registration(2, minutesAgo: 60, .missed),
            registration(3, minutesAgo: 40, .cancelled), registration(4, minutesAgo: 31, .lapsed),
        ]
        return try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.registrations) { request in
                let isFirst = request.query.all("cursor").isEmpty
                return .json(
                    RegistrationList(
                        registrations: isFirst ? Array(all.prefix(1)) : Array(all.dropFirst()),
                        nextCursor: isFirst ? "more" : nil))
            }
            router.immediate(.patch, Routes.registrations + "/{id}") { request in
                let body = String(decoding: request.body, as: UTF8.self)
                asked.withLock { $0.append("\(request.parameters[0].suffix(2)) \(body)") }
                guard let patch = try? RegistrationPatch(bytes: request.body) else {
                    return .problem(.invalid, body)
                }
                if patch.outcome == .set(.not) { return .problem(.conflict, "It is too late.") }
                var changed = all[1]
                changed.outcome = patch.outcome.applied(to: nil).map { .known($0) }
                // A server may answer with anything.
                changed.note = patch.note.applied(to: nil).map { $0 + "\u{1B}" }
                changed.checkIn = patch.checkIn.applied(to: nil)
                return .json(changed)
            }
            router.immediate(.get, Routes.rooms) { _ in
                .json(RoomList(rooms: [Sample.openRoom(at: WallClock.now)]))
            }
        }
    }

    @Test("says it of the last session that there was, or of another one, and takes it back")
    func says() async throws {
        let asked = Lock<[String]>([])
        let server = try await Self.serve(asked)
        let process = try CommandProcess.signedIn()
        let done = try await process.run(["outcome", "done", "--note", "All"], server: server.url)
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.output.hasSuffix(": W\u{FFFD}rite: done: All\u{FFFD}.\n"), "\(done.output)")
        let other = try await process.run(
            ["outcome", "partly", "\(Sample.me)", "--json"], server: server.url)
        let registration = try JSON.decode(Registration.self, from: Array(other.output.utf8))
        #expect(registration.outcome == .partly)
        let back = try await process.run(["outcome", "none"], server: server.url)
        #expect(back.output.hasSuffix(": taken back.\n"))
        let late = try await process.run(["outcome", "not"], server: server.url)
        #expect(late.status == 5 && late.errors.contains("It is too late."))
        #expect(
            asked.withLock { $0 } == [
                #"02 {"note":"All","outcome":"done"}"#, #"0a {"outcome":"partly"}"#,
                #"02 {"outcome":null}"#, #"02 {"outcome":"not"}"#,
            ])
    }

    @Test("says it to the room that is open, and takes it back")
    func checksIn() async throws {
        let asked = Lock<[String]>([])
        let server = try await Self.serve(asked)
        let process = try CommandProcess.signedIn()
        let said = try await process.run(["check-in", "Ready 🙂"], server: server.url)
        #expect((said.status, said.output) == (0, "All members of your room see it.\n"), "\(said.errors)")
        let back = try await process.run(["check-in", "--remove", "--json"], server: server.url)
        #expect(try JSON.decode(Registration.self, from: Array(back.output.utf8)).checkIn == nil)
        #expect(asked.withLock { $0 } == [#"0a {"checkIn":"Ready 🙂"}"#, #"0a {"checkIn":null}"#])
    }

    @Test("finds nothing where there was no session within a day")
    func nothing() async throws {
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.registrations) { _ in
                .json(
                    RegistrationList(registrations: [
                        Self.registration(1, minutesAgo: 60 * 24 + 31, .attended),
                        Self.registration(2, minutesAgo: -1, .matched),
                    ]))
            }
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [])) }
        }
        let process = try CommandProcess.signedIn()
        for arguments in [["outcome", "done"], ["check-in", "Ready"]] {
            let answer = try await process.run(arguments, server: server.url)
            #expect(answer.status == 4, "\(answer.output) \(answer.errors)")
        }
    }

    @Test(
        "refuses what makes no sense, and says what there is",
        arguments: [
            (["outcome"], "OUTCOME"), (["outcome", "great"], "done, partly, not"),
            (["outcome", "done", "x"], "registrations"), (["outcome", "none", "--note", "x"], "note"),
            (["check-in"], "--remove"), (["check-in", "x", "--remove"], "--remove"),
            (["outcome", "done", "--note"], "--note"),
        ])
    func usage(arguments: [String], hint: String) async throws {
        let answer = try await CommandProcess.signedIn().run(arguments, server: "http://127.0.0.1:1")
        #expect(answer.status == 2)
        #expect(answer.errors.contains(hint), "\(answer.errors)")
    }
}
