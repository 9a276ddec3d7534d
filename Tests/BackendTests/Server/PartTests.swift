import Postgres
import PostgresTesting
import Reactor
import Testing

@testable import Backend
@testable import BackendTesting
@testable import Settings

@Suite("Parts of the server")
struct PartTests {
    /// A part that counts its comparisons, each of which may fail.
    private struct Comparing: Part {
        let fails: Bool
        let count = Lock(0)

        func compare() throws {
            count.withLock { $0 += 1 }
            if fails { throw PostgresError.timedOut }
        }
    }

    @Test("parts stand in the order in which they handle change events, which is the opposite of their end")
    func order() async throws {
        try await TestDatabase.with(copyOf: .migrated) { database in
            let backend = try await Backend(
                ServerConfiguration(cores: 1), database: database.configuration, publicURL: "http://test",
                label: "test", loops: [database.loop], background: database.loop,
                readiness: Readiness(), clock: ReferenceClock())
            let names = backend.parts.map { "\(type(of: $0))" }
            #expect(
                names == [
                    "ChangesPart", "ClusterParts", "AccountsPart", "NotificationsPart", "RegistrationsPart",
                    "DeskPart", "RoomsPart", "SchedulePart", "DeliveryService", "RoutineWorker",
                    "CalendarsPart", "PeoplePart", "Retention", "TracesPart", "ServerPart",
                ])
            await backend.finish()
        }
    }

    @Test("a part that cannot compare keeps no other part from it, and its error is reported")
    func comparing() async {
        let parts = [true, false, true].map { Comparing(fails: $0) }
        await #expect(throws: PostgresError.timedOut) { try await (parts as [any Part]).compare() }
        #expect(parts.map { $0.count.withLock { $0 } } == [1, 1, 1])
    }
}
