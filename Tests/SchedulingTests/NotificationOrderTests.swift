import API
import Contract
import Postgres
import Testing

@testable import BackendTesting
@testable import Database
@testable import Scheduling

@Suite("The order of notifications")
struct NotificationOrderTests {
    @Test(
        "a lower id never becomes visible after a higher one: the second writer waits for the first",
        .timeLimit(.minutes(1)))
    func visibleInOrder() async throws {
        try await ScheduleFixture.withRegistered(2) { fixture, registrations in
            let rows = try await fixture.pool.query("SELECT user_id FROM registrations ORDER BY id")
            let users = try rows.map { try $0.decode(0, Identifier.self) }
            let now = fixture.application.now()
            let (hasWritten, firstWrote) = AsyncStream<Void>.makeStream()
            let (mayCommit, letCommit) = AsyncStream<Void>.makeStream()
            async let first: Void = fixture.pool.transaction { connection in
                let notice = Notice(user: users[0], type: .sessionLapsed, registration: registrations[0])
                try await NotificationWriter.write([notice], at: now, on: connection)
                firstWrote.yield()
                for await _ in mayCommit { break }
            }
            for await _ in hasWritten { break }
            async let second: Void = fixture.pool.transaction { connection in
                let notice = Notice(user: users[1], type: .sessionLapsed, registration: registrations[1])
                try await NotificationWriter.write([notice], at: now, on: connection)
            }
            // The second writer waits for the lock of the first.
            try await fixture.pool.waitForBlocked()
            #expect(try await fixture.pool.query("SELECT id FROM notifications").isEmpty)
            letCommit.yield()
            try await first
            try await second
            let order = try await fixture.pool.query("SELECT registration_id FROM notifications ORDER BY id")
            #expect(try order.map { try $0.decode(0, Identifier.self) } == registrations)
        }
    }
}
