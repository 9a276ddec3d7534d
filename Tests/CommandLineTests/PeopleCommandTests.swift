import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("A command about people")
struct PeopleCommandTests {
    private static let id = Sample.partner.description

    private static let explanation = Explanation(
        roomId: Sample.room, message: "You meet B\u{1B}ob here.",
        members: [
            ExplainedMember(
                id: Sample.partner, name: "B\u{1B}ob",
                reasons: [
                    MeetingReason(.firstMeeting, "This is your first meeting."),
                    MeetingReason(.sameTag, "Both of you chose the tag “books”."),
                ])
        ])

    /// Starts a server with two blocks on two pages, one favourite, and a room.
    private static func serve(_ asked: Lock<[String]>) async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            let block = Block(
                registrationId: Sample.partner, name: "B\u{1B}ob", createdAt: Sample.start,
                report: "One.\nTwo.")
            let favourite = Favourite(registrationId: Sample.me, name: "Ann", createdAt: Sample.start)
            @Sendable func note(_ request: HTTPRequest) {
                let line = "\(request.head.method.rawValue) \(String(decoding: request.body, as: UTF8.self))"
                asked.withLock { $0.append(line) }
            }
            router.immediate(.post, Routes.blocks) { request in
                note(request)
                return .json(block, status: 201)
            }
            router.immediate(.get, Routes.blocks) { request in
                let isFirst = request.query.all("cursor").isEmpty
                return .json(BlockList(blocks: [block], nextCursor: isFirst ? "more" : nil))
            }
            router.immediate(.delete, Routes.blocks + "/{id}") { request in
                note(request)
                return HTTPResponse(status: 204)
            }
            router.immediate(.post, Routes.favourites) { _ in
                .problem(.limitReached, "You have 1000 favourites.")
            }
            router.immediate(.get, Routes.favourites) { _ in .json(FavouriteList(favourites: [favourite])) }
            router.immediate(.delete, Routes.favourites + "/{id}") { _ in HTTPResponse(status: 204) }
            let room = Sample.openRoom(at: Sample.start)
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [room])) }
            router.immediate(.get, Routes.explanation(ofRoom: Sample.room)) { _ in .json(Self.explanation) }
        }
    }

    @Test("blocks a person with a report, lists all pages in safe lines, and takes it back")
    func blocks() async throws {
        let asked = Lock<[String]>([])
        let server = try await Self.serve(asked)
        let process = try CommandProcess.signedIn()
        let made = try await process.run(["block", Self.id, "--report", "Rude"], server: server.url)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output == "You will not meet B\u{FFFD}ob again.\n")
        let listed = try await process.run(["blocks"], server: server.url)
        let lines = listed.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.contains(Self.id) && $0.hasSuffix("B\u{FFFD}ob  One. Two.") })
        let json = try await process.run(["blocks", "--json"], server: server.url)
        let list = try JSON.decode(BlockList.self, from: Array(json.output.utf8))
        #expect((list.blocks.count, list.nextCursor) == (2, nil))
        let removed = try await process.run(["block", Self.id, "--remove", "--json"], server: server.url)
        #expect(removed.output == "{\"registrationId\":\"\(Self.id)\",\"removed\":true}\n")
        #expect(
            asked.withLock { $0 }
                == ["POST {\"registrationId\":\"\(Self.id)\",\"report\":\"Rude\"}", "DELETE "])
    }

    @Test(
        "refuses what makes no sense, and says where the ids are",
        arguments: [
            (["block", "Bob"], "explain"), (["favourite", "x"], "explain"), (["block"], "ID"),
            (["block", "\(Sample.partner)", "--remove", "--report", "x"], "--remove"),
            (["explain", "room"], "is no id"),
        ])
    func usage(arguments: [String], hint: String) async throws {
        let outcome = try await CommandProcess.signedIn().run(arguments, server: "http://127.0.0.1:1")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("lists favourites, takes one back, and ends with 5 where the list is full")
    func favourites() async throws {
        let server = try await Self.serve(Lock([]))
        let process = try CommandProcess.signedIn()
        let listed = try await process.run(["favourites"], server: server.url)
        #expect(listed.output.contains("\(Sample.me)  Ann\n"), "\(listed.output) \(listed.errors)")
        let full = try await process.run(["favourite", Self.id], server: server.url)
        #expect(full.status == 5)
        #expect(full.errors.contains("You have 1000 favourites."))
        let removed = try await process.run(["favourite", Self.id, "--remove"], server: server.url)
        #expect((removed.status, removed.output) == (0, "No longer a favourite.\n"))
    }

    @Test("explains the latest room, with the ids of the people in it")
    func explains() async throws {
        let server = try await Self.serve(Lock([]))
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(["explain"], server: server.url)
        let expected = """
            You meet B\u{FFFD}ob here.

            B\u{FFFD}ob  \(Self.id)
              This is your first meeting.
              Both of you chose the tag “books”.

            """
        #expect(outcome.output == expected, "\(outcome.errors)")
        let json = try await process.run(["explain", "\(Sample.room)", "--json"], server: server.url)
        #expect(try JSON.decode(Explanation.self, from: Array(json.output.utf8)) == Self.explanation)
        let other = try await process.run(["explain", Self.id], server: server.url)
        #expect(other.status == 4)
    }

    @Test("explains nothing to a person without a room")
    func noRoom() async throws {
        let server = try await ScriptedServer(.get, Routes.rooms) { _ in .json(RoomList(rooms: [])) }
        let outcome = try await CommandProcess.signedIn().run(["explain"], server: server.url)
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("letsswitch register"))
    }

    @Test("shows the figures as a table, with a share only where there is something to share")
    func stats() {
        var stats = Stats(
            attended: 2, missed: 1, lateCancellations: 0,
            punctuality: Stats.Punctuality(medianSeconds: 12, meanSeconds: 40), currentStreak: 1,
            longestStreak: 2, alesSent: 5, alesReceived: 4, partnersMet: 3)
        #expect(
            Table.lines(StatsCommand.rows(stats)) == [
                "Attended        2 of 3 (66 %)", "Missed          1", "Cancelled late  0",
                "Punctuality     entered 12 s after the room opened (median), 40 s on average",
                "Streak          1, the longest 2", "Ales            5 sent, 4 received",
                "Partners        3",
            ])
        (stats.attended, stats.missed, stats.punctuality) = (0, 0, nil)
        #expect(StatsCommand.rows(stats)[0] == ["Attended", "0 of 0"])
        #expect(!StatsCommand.rows(stats).contains { $0[0] == "Punctuality" })
    }
}
