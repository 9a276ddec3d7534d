import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("Commands about partners")
struct InviteCommandTests {
    private static let code = String(repeating: "a", count: 43)

    private static func registration(_ id: Identifier, _ state: RegistrationState) -> Registration {
        let begin = WallClock.now
        return Registration(
            id: id, slot: SlotSpan(startsAt: begin, endsAt: begin.adding(.seconds(1800))), task: "Write",
            tag: nil, state: state, roomId: nil, createdAt: begin, updatedAt: begin, with: .favourites,
            quiet: true)
    }

    /// Runs commands at a server where the account has a cancelled registration and a live one. Returns the
    /// outcomes and the requests.
    private static func run(
        _ commands: [[String]]
    ) async throws -> (outcomes: [CommandProcess.Outcome], asked: [String]) {
        let asked = Lock<[String]>([])
        let server = try await ScriptedServer { router, _ in
            @Sendable func note(_ request: HTTPRequest) {
                let body = String(decoding: request.body, as: UTF8.self)
                asked.withLock { $0.append("\(request.head.method.rawValue) \(request.head.path) \(body)") }
            }
            let list = RegistrationList(registrations: [
                registration(Sample.other, .cancelled), registration(Sample.me, .registered),
            ])
            router.immediate(.get, Routes.registrations) { _ in .json(list) }
            router.immediate(.post, Routes.registrations) { request in
                note(request)
                return .json(RegistrationList(registrations: []), status: 201)
            }
            router.immediate(.post, Routes.registrations + "/{id}/invite") { request in
                note(request)
                return .json(
                    NewInvite(
                        url: "http://h/invites/\u{1B}\(code)", code: code,
                        expiresAt: Sample.start), status: 201)
            }
            router.immediate(.delete, Routes.registrations + "/{id}/invite") { request in
                note(request)
                return HTTPResponse(status: 204)
            }
        }
        return (try await CommandProcess.run(commands, at: server), asked.withLock { $0 })
    }

    @Test("an invite is to the next registration, and its link alone where it is to be quiet")
    func invite() async throws {
        let (outcomes, asked) = try await Self.run([
            ["invite"], ["invite", "\(Sample.other)", "-q"], ["invite", "--json"],
        ])
        #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty }, "\(outcomes)")
        #expect(
            asked.map { $0.split(separator: "/")[3].prefix(36) } == [
                "\(Sample.me)", "\(Sample.other)", "\(Sample.me)",
            ])
        #expect(outcomes[0].output.contains("\nhttp://h/invites/\u{FFFD}\(Self.code)\n"))
        #expect(outcomes[0].output.contains("letsswitch invite \(Sample.me) --revoke"))
        #expect(outcomes[1].output == "http://h/invites/\u{FFFD}\(Self.code)\n")
        let invite = try JSON.decode(NewInvite.self, from: Array(outcomes[2].output.utf8))
        #expect(invite.code == Self.code)
    }

    @Test("an invite is taken back")
    func revoke() async throws {
        let (outcomes, asked) = try await Self.run([["invite", "--revoke"], ["invite", "x"]])
        #expect(outcomes.map(\.status) == [0, 2])
        #expect(asked == ["DELETE /v1/registrations/\(Sample.me)/invite "])
    }

    @Test("register takes a code or its link instead of a time, and sends the intent")
    func register() async throws {
        let (outcomes, asked) = try await Self.run([
            ["register", "Read", "--invite", Self.code, "--with", "favourites", "--no-ales"],
            ["register", "Read", "--invite", "https://h/invites/\(Self.code)"],
        ])
        #expect(outcomes.map(\.status) == [0, 0], "\(outcomes)")
        let bodies = try asked.map {
            try JSONValue.parse(Array($0.split(separator: " ", maxSplits: 2)[2].utf8))
        }
        #expect(bodies.map { $0["invite"]?.string } == [Self.code, Self.code])
        #expect(bodies.map { $0["with"]?.string } == ["favourites", nil])
        #expect(bodies.map { $0["quiet"]?.bool } == [true, nil])
    }

    @Test(
        "register refuses what makes no sense, before it asks the server",
        arguments: [
            [], ["--invite", "a/b c"], ["--invite", "\u{1B}x"],
            ["--invite", "abc", "--at", "next"], ["--at", "next", "--with", "friends"],
        ])
    func usage(options: [String]) async throws {
        let (outcomes, asked) = try await Self.run([["register", "Read"] + options])
        #expect(outcomes.map(\.status) == [2])
        #expect(!outcomes[0].errors.contains("\u{1B}"))
        #expect(asked.isEmpty)
    }

    @Test("the list shows the partners, and that the person wants no ales")
    func list() async throws {
        let (outcomes, _) = try await Self.run([["registrations"]])
        #expect(outcomes[0].output.contains("Write  (favourites only, no ales)\n"), "\(outcomes[0].output)")
    }

    @Test("the join screen marks partners who want no ales")
    func screen() {
        var model = JoinModel()
        model.found(
            Room(
                id: Sample.room,
                slot: SlotSpan(startsAt: Sample.start, endsAt: Sample.start.adding(.seconds(1800))),
                opensAt: Sample.start, closesAt: Sample.start.adding(.seconds(1800)), socketUrl: "ws://h",
                members: [
                    Member(id: Sample.me, name: "Alice", task: "Write", tag: nil, you: true, present: true),
                    Member(
                        id: Sample.partner, name: "Bob", task: "Read", tag: nil, you: false, present: true,
                        quiet: true),
                ], ales: 0))
        let lines = JoinScreen(model: model, now: Sample.start, columns: 60, rows: 24).lines().map(\.text)
        #expect(lines.contains { $0.contains("Bob  Read  (quiet)") }, "\(lines)")
    }
}
