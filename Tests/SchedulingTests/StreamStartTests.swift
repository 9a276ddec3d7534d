import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("The start of an event stream")
struct StreamStartTests {
    @Test("goes on from the id that the client sent, also if another server has told more than this one")
    func known() async throws {
        for (asked, newest) in [(0, 7), (7, 7), (8, 8), (8, 9)] as [(Int64, Int64)] {
            let start = await StreamStart(asked: asked, since: 7) { newest }
            #expect(start.after == asked)
            #expect(start.greeting.hasPrefix(": welcome\nretry: "))
        }
    }

    @Test("asks for the newest id only if the client's is above the position of the server")
    func question() async throws {
        struct Asked: Error {}
        for asked in [nil, 6, 7] as [Int64?] {
            _ = try await StreamStart(asked: asked, since: 7) { throw Asked() }
        }
        await #expect(throws: Asked.self) {
            _ = try await StreamStart(asked: 8, since: 7) { throw Asked() }
        }
    }

    @Test("is now for a client without an id, and for one whose id is above the newest, which is told so")
    func now() async throws {
        let new = await StreamStart(asked: nil, since: 7) { 7 }
        #expect(new.after == 7)
        #expect(new.greeting.hasPrefix(": welcome\nid: 7\nretry: "))
        let unknown = await StreamStart(asked: 9, since: 7) { 8 }
        #expect(unknown.after == 7)
        #expect(
            unknown.greeting.hasPrefix(
                ": welcome\n: 9 is above the newest id; going on from now\nid: 7\nretry: "))
    }

    @Test("has the newest id of the database, also of a writer that has drawn it and not committed")
    func writer() async throws {
        try await ScheduleFixture.withRegistered(1) { fixture, _ in
            let row = try await fixture.pool.query("SELECT user_id, id FROM registrations").first
            let (user, registration) = try #require(try row?.decode(Identifier.self, Identifier.self))
            let before = try await NotificationWriter.newest(in: fixture.pool)
            let notice = Notice(user: user, type: .sessionMissed, registration: registration)
            let reading = try await fixture.pool.transaction { connection in
                try await NotificationWriter.write([notice], at: ScheduleFixture.opening, on: connection)
                let reading = Task { try await NotificationWriter.newest(in: fixture.pool) }
                try await fixture.pool.waitForBlocked()
                return reading
            }
            #expect(try await reading.value > before)
        }
    }
}
