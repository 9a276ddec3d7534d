import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The history of sessions")
struct HistoryCommandTests {
    private static func slot(_ number: Int64) -> SlotSpan {
        let startsAt = Sample.start.adding(.seconds(1800 * number))
        return SlotSpan(startsAt: startsAt, endsAt: startsAt.adding(.seconds(1800)))
    }

    private static func registration(_ number: Int64, _ state: RegistrationState) -> Registration {
        Registration(
            id: Identifier(value: UInt128(number)), slot: slot(number), task: "Task \(number)\u{1B}",
            tag: nil,
            state: state, roomId: nil, createdAt: Sample.start, updatedAt: Sample.start)
    }

    /// The end of a session, and the opening of its room before that.
    private static func notifications(_ number: Int64) -> [UserNotification] {
        let id = Identifier(value: UInt128(number))
        let startsAt = slot(number).startsAt
        let bob = Partner(id: Sample.partner, name: "B\u{1B}ob", task: nil, tag: nil)
        let data: NotificationData =
            switch number % 4 {
            case 0: .sessionMissed(.init(registrationId: id, startsAt: startsAt))
            case 1: .sessionLapsed(.init(registrationId: id, startsAt: startsAt))
            default:
                .sessionCompleted(
                    .init(
                        registrationId: id, roomId: Sample.room, startsAt: startsAt, alesSent: 2,
                        alesReceived: 1, partners: number % 4 == 2 ? [] : [bob]))
            }
        return [
            UserNotification(id: 2 * number - 1, createdAt: startsAt, data: .unknown(type: "room.other")),
            UserNotification(id: 2 * number, createdAt: startsAt, data: data),
        ]
    }

    /// Starts a server with so many sessions that are over, the registration of the sixth being gone.
    private static func serve(_ count: Int64, _ asked: Lock<[String]> = .init([])) async throws
        -> ScriptedServer
    {
        let all = count == 0 ? [] : (1...count).flatMap(notifications)
        return try await ScriptedServer { router, _ in
            router.immediate(.get, Routes.notifications) { request in
                asked.withLock { $0.append(request.head.target) }
                let before = request.query.first("before").flatMap { Int64($0) } ?? .max
                let limit = request.query.first("limit").flatMap { Int($0) } ?? 50
                let page = all.reversed().filter { $0.id < before }.prefix(limit)
                return .json(NotificationList(notifications: Array(page)))
            }
            router.immediate(.get, Routes.registrations) { request in
                asked.withLock { $0.append(request.head.target) }
                let from = request.query.first("from").flatMap { Timestamp($0) } ?? Sample.start
                let to = request.query.first("to").flatMap { Timestamp($0) } ?? Sample.start
                let own = (1...max(1, count)).filter { $0 != 6 }.map { registration($0, .attended) }
                let list = own.filter { $0.slot.startsAt >= from && $0.slot.startsAt < to }
                return .json(RegistrationList(registrations: list))
            }
        }
    }

    private static func run(_ server: ScriptedServer, _ arguments: String...) async throws
        -> CommandProcess.Outcome
    {
        return try await CommandProcess.signedIn().run(["history"] + arguments, server: server.url)
    }

    @Test("shows partners, ales and tasks, oldest first, and sums that leave out what lapsed")
    func shows() async throws {
        let outcome = try await Self.run(try await Self.serve(7))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 8)
        func line(_ number: Int) -> String { lines[number - 1] }
        #expect(line(1).contains("lapsed") && line(4).contains("missed"))
        #expect(line(2).contains("attended  alone") && line(2).contains("2 sent, 1 received"))
        #expect(line(3).contains("attended  B\u{FFFD}ob") && line(3).hasSuffix("Task 3\u{FFFD}"))
        #expect(line(3).contains("Fri 2027-01-15 09:30–10:00 UTC"))
        #expect(line(6).contains("Fri 2027-01-15 11:00 UTC") && line(6).hasSuffix("\(Identifier(value: 6))"))
        // The sixth one's length is not known.
        #expect(line(8) == "4 of 5 attended, 1 h 30 min in all; ales: 8 sent, 4 received.")
        let json = try await Self.run(try await Self.serve(7), "--json")
        let value = try JSONValue.parse(Array(json.output.utf8))
        #expect(value["sessions"]?.array?.count == 7)
        #expect(value["sessions"]?.array?[2]["partners"]?.array?.first?["name"]?.string == "B\u{1B}ob")
        #expect(value["sessions"]?.array?[3]["partners"] == nil)
        #expect(json.output.contains(#""sums":{"alesReceived":4,"alesSent":8,"attended":4,"missed":1"#))
    }

    @Test("has the newest twenty, or as many as are asked for, over several pages")
    func pages() async throws {
        let asked = Lock<[String]>([])
        let server = try await Self.serve(300, asked)
        let usual = try await Self.run(server)
        #expect(usual.output.split(separator: "\n").count == 21)
        let first = asked.withLock { $0 }
        #expect(first[0] == "/v1/notifications?order=desc&limit=200" && first.count == 2, "\(first)")
        let many = try await Self.run(server, "--last", "250", "--json")
        let sessions = try JSONValue.parse(Array(many.output.utf8))["sessions"]?.array ?? []
        #expect(sessions.count == 250)
        #expect(sessions.first?["registrationId"]?.string == Identifier(value: 51).description)
        #expect(try await Self.run(server, "--last", "1000").output.split(separator: "\n").count == 301)
        for wrong in ["0", "-1", "x", "1001"] {
            #expect(try await Self.run(server, "--last=\(wrong)").status == 2)
        }
    }

    @Test("says what to do where there is none yet")
    func none() async throws {
        let outcome = try await Self.run(try await Self.serve(0))
        #expect(outcome.status == 0 && outcome.output.contains("letsswitch register"), "\(outcome)")
        let json = try await Self.run(try await Self.serve(0), "--json")
        #expect(json.output.hasPrefix("{\"sessions\":[],\"sums\":{"))
    }
}
