import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import TestKit
import Testing

@testable import letsswitch

@Suite("wait", .timeLimit(.minutes(5)))
struct WaitCommandTests {
    /// A session as a server tells it, of which a test changes what it likes.
    private struct Session {
        var registration: Registration
        var slot = SlotState.registered
        var room: Room?
        /// The answer to every question about the registration; nil for the registration itself.
        var failure: ProblemName?
        /// The number of questions about the registration, and of those that got the failure.
        var asked = 0
        var failed = 0
    }

    private final class Service: Sendable {
        let session: Lock<Session>
        /// Sends a notification on the stream.
        let news: AsyncStream<Void>.Continuation

        init(_ session: Session, _ news: AsyncStream<Void>.Continuation) {
            self.session = Lock(session)
            self.news = news
        }

        func change(_ body: (inout Session) -> Void) {
            session.withLock { body(&$0) }
            news.yield()
        }
    }

    private static func registration(_ state: RegistrationState = .registered) -> Registration {
        let now = WallClock.now
        return Registration(
            id: Sample.me, slot: SlotSpan(key: now.adding(.seconds(60)), endsAt: now.adding(.seconds(1860))),
            task: "Write", tag: nil, state: state, roomId: state == .matched ? Sample.room : nil,
            createdAt: now, updatedAt: now)
    }

    private func serve(
        _ registration: Registration, room: Room? = nil, slot: SlotState = .registered
    ) async throws -> (ScriptedServer, Service) {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        let service = Service(Session(registration: registration, slot: slot, room: room), continuation)
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.live) { _ in HTTPResponse(status: 200, body: []) }
            router.immediate(.get, Routes.registrations) { _ in
                .json(RegistrationList(registrations: [service.session.withLock(\.registration)]))
            }
            router.immediate(.get, "/v1/registrations/{id}") { request in
                let session = service.session.withLock { session in
                    session.asked += 1
                    if session.failure != nil { session.failed += 1 }
                    return session
                }
                if request.parameters != [Sample.me.description] { return .problem(.notFound, "No.") }
                return session.failure.map { .problem($0, "Later.") } ?? .json(session.registration)
            }
            router.immediate(.get, Routes.slots) { _ in
                let session = service.session.withLock(\.self)
                let slot = SlotView(
                    startsAt: session.registration.slot.startsAt,
                    endsAt: session.registration.slot.endsAt, localTime: "2027-01-01T00:00",
                    state: session.slot, others: 1, registrationId: session.registration.id)
                guard let date = LocalDate("2027-01-01") else { return .problem(.internalError, "") }
                return .json(SlotList(date: date, timeZone: "UTC", slots: [slot]))
            }
            router.immediate(.get, "/v1/rooms/{id}") { _ in
                service.session.withLock { $0.room.map { .json($0) } ?? .problem(.notFound, "No.") }
            }
            router.immediate(.get, Routes.events) { _ in
                .events { stream in
                    try? await stream.write(Array(": welcome\nid: 0\n\n".utf8))
                    var id = 0
                    for await _ in events {
                        id += 1
                        // The client does not know this type, and looks again all the same.
                        let data = """
                            {"id":\(id),"type":"slot.news","createdAt":"2027-01-01T00:00:00Z","data":{}}
                            """
                        try? await stream.write(
                            Array("id: \(id)\nevent: slot.news\ndata: \(data)\n\n".utf8))
                    }
                }
            }
        }
        return (server, service)
    }

    private func wait(
        _ words: [String], _ server: ScriptedServer
    ) async throws -> CommandProcess.Outcome {
        return try await CommandProcess.signedIn().run(["wait"] + words, server: server.url)
    }

    @Test(
        "is not used wrongly without a word of it",
        arguments: [
            [], ["--until"], ["--until", "matchd"], ["--until", ""], ["x", "--until", "open"],
            ["--until", "open", "--timeout", "0"], ["--until", "open", "--timeout", "-1s"],
            ["--until", "open", "--timeout", "5d"], ["--until", "open", "--timeout", "m"],
            ["--until", "open", "--timeout", "999h"],
        ])
    func usage(words: [String]) async throws {
        let outcome = try await CommandProcess.signedIn().run(["wait"] + words, server: "http://127.0.0.1:1")
        #expect(outcome.status == 2 && outcome.output.isEmpty && outcome.errors.hasPrefix("letsswitch: "))
    }

    @Test("takes a duration in seconds, or with a unit", arguments: ["60", "60.5", "60s", "5m", "0.5h"])
    func duration(text: String) async throws {
        let process = try CommandProcess.signedIn()
        let words = ["wait", "--until", "open", "--timeout", text]
        #expect(try await process.run(words, server: "http://127.0.0.1:1").status == 7)
    }

    @Test("ends with 4 where nothing is ahead, or the registration is not there")
    func nothingAhead() async throws {
        let (server, _) = try await serve(Self.registration(.cancelled))
        let nothing = try await wait(["--until", "open"], server)
        #expect(nothing.status == 4 && nothing.errors.contains("letsswitch register"))
        #expect(try await wait([Sample.other.description, "--until", "open"], server).status == 4)
    }

    @Test("ends with 5 where it cannot happen any more, at once or later", arguments: [true, false])
    func over(isLater: Bool) async throws {
        let (server, service) = try await serve(Self.registration(isLater ? .registered : .cancelled))
        async let outcome = wait([Sample.me.description, "--until", "matched"], server)
        if isLater {
            try await eventually { service.session.withLock { $0.asked >= 1 } }
            service.change { $0.registration.state = .known(.cancelled) }
        }
        let end = try await outcome
        #expect(end.status == 5 && end.output.isEmpty)
        #expect(end.errors.contains("The registration was cancelled."))
    }

    @Test("ends with 8 when its time is over, having said what it waited for", arguments: WaitGoal.allCases)
    func timeout(goal: WaitGoal) async throws {
        let (server, _) = try await serve(Self.registration())
        let outcome = try await wait(["--until", goal.rawValue, "--timeout", "1s"], server)
        #expect(outcome.status == 8 && outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("letsswitch: waiting for \(goal.words): ") == true, "\(lines)")
        let quiet = try await wait(["--until", goal.rawValue, "--timeout", "0.5", "-q"], server)
        #expect(quiet.status == 8 && quiet.errors.split(separator: "\n").count == 1)
    }

    @Test("ends with 3 where the token is not taken any more")
    func token() async throws {
        let (server, service) = try await serve(Self.registration())
        service.change { $0.failure = .unauthenticated }
        #expect(try await wait(["--until", "open"], server).status == 3)
    }

    @Test("ends at once where it has happened already")
    func already() async throws {
        let room = Sample.openRoom(at: WallClock.now)
        let (server, _) = try await serve(Self.registration(.matched), room: room)
        for goal in WaitGoal.allCases {
            let outcome = try await wait(["--until", goal.rawValue], server)
            #expect(outcome.status == 0 && outcome.output.contains("Bob") && outcome.errors.isEmpty)
            let quiet = try await wait(["--until", goal.rawValue, "-q"], server)
            #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        }
    }

    @Test("goes on after each notification, also where the server was out of order in between")
    func goesOn() async throws {
        let (server, service) = try await serve(Self.registration())
        async let outcome = wait(["--until", "matched", "--json"], server)
        try await eventually { service.session.withLock { $0.asked >= 1 } }
        service.change { $0.failure = .internalError }
        try await eventually { service.session.withLock { $0.failed >= 1 } }
        service.change { session in
            session.failure = nil
            session.slot = .partnered
        }
        let end = try await outcome
        #expect(end.status == 0)
        let told = try JSONValue.parse(Array(end.errors.utf8))
        #expect(told["event"]?.string == "waiting" && told["until"]?.string == "matched")
        let reached = try JSONValue.parse(Array(end.output.utf8))
        #expect(reached["event"]?.string == "reached")
        #expect(reached["registrationId"]?.string == Sample.me.description)
        #expect(reached["roomId"] == nil)
    }

    @Test("sees a partner come into the room, of which no notification tells")
    func connected() async throws {
        var room = Sample.openRoom(at: WallClock.now)
        room.members[1].present = false
        let (server, service) = try await serve(Self.registration(.matched), room: room)
        async let outcome = wait(["--until", "connected", "--json"], server)
        try await eventually { service.session.withLock { $0.asked >= 1 } }
        service.session.withLock { $0.room?.members[1].present = true }
        let end = try await outcome
        #expect(end.status == 0)
        let reached = try JSONValue.parse(Array(end.output.utf8))
        #expect(reached["roomId"]?.string == Sample.room.description)
        #expect(reached["partners"]?.array?.first?["present"]?.bool == true)
    }

    @Test("goes on with the token by which another process has replaced the stored one")
    func renewed() async throws {
        let (tokens, asked) = (Lock(["secret"]), Lock(0))
        let (isOpen, opening) = AsyncStream.makeStream(of: Void.self)
        let registration = Self.registration()
        let server = try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.live) { _ in HTTPResponse(status: 200, body: []) }
            router.immediate(.get, Routes.me) { _ in .json(UserAnswer(user: Sample.user)) }
            router.immediate(.get, "/v1/registrations/{id}") { request in
                asked.withLock { $0 += 1 }
                let token = request.head.headers.first("authorization") ?? ""
                let isValid = tokens.withLock { $0.contains { token == "Bearer \($0)" } }
                guard isValid else { return .problem(.unauthenticated, "No.") }
                var answer = registration
                if token == "Bearer renewed" { answer.state = .known(.cancelled) }
                return .json(answer)
            }
            router.immediate(.get, Routes.events) { _ in
                .events { stream in
                    try? await stream.write(Array(": welcome\nid: 0\n\n".utf8))
                    for await _ in isOpen {}
                }
            }
        }
        let process = try CommandProcess.signedIn()
        async let outcome = process.run(
            ["wait", Sample.me.description, "--until", "open"], server: server.url)
        try await eventually { asked.withLock { $0 >= 2 } }
        try process.replaceToken("renewed")
        tokens.withLock { $0 = ["renewed"] }
        opening.finish()
        // The end that only the new token is told.
        #expect(try await outcome.status == 5)
    }
}
