import Contract
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

    /// A part whose removals of old rows have those results.
    private struct Removing: Part {
        let results: Lock<[Result<Duration?, PostgresError>]>
        /// Runs before each removal.
        let before: @Sendable () async -> Void

        func removeExpired(at now: Timestamp) async throws -> Duration? {
            await before()
            return try results.withLock { $0.removeFirst() }.get()
        }
    }

    @Test("parts handle change events in one order, finish in the opposite one, and drain in named steps")
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
            #expect(
                backend.drainSteps([]).map(\.name) == [
                    "hand over rooms", "accept nothing", "leave the cluster", "close sockets",
                    "wait for clients",
                ])
            await backend.drain([])
            let state = try await database.withConnection { connection in
                try await connection.query("SELECT state::text FROM servers")[0].decode(0, String.self)
            }
            #expect(state == "draining")
            await backend.finish()
        }
    }

    @Test("a part that cannot compare keeps no other part from it, and its error is reported")
    func comparing() async {
        let parts = [true, false, true].map { Comparing(fails: $0) }
        await #expect(throws: PostgresError.timedOut) { try await (parts as [any Part]).compare() }
        #expect(parts.map { $0.count.withLock { $0 } } == [1, 1, 1])
    }

    @Test(
        "a part that cannot remove old rows is called again in minutes, and holds up no other part",
        .timeLimit(.minutes(1)))
    func removing() async {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let failing = Removing(
            results: Lock([.failure(.timedOut), .success(.seconds(7)), .success(nil)]),
            before: { for await _ in ended {} })
        let other = Removing(
            results: Lock([.success(.seconds(3)), .success(nil)]), before: { end.finish() })
        let pauses = Lock<[Duration]>([])
        await ([failing, other] as [any Part]).removeExpired(
            at: { Timestamp(seconds: 0) }, sleep: { pause in pauses.withLock { $0.append(pause) } })
        let sorted = pauses.withLock { $0.sorted() }
        #expect(sorted.prefix(2) == [.seconds(3), .seconds(7)] && sorted.count == 3)
        #expect(sorted.last.map { (Duration.seconds(240)...Duration.seconds(300)).contains($0) } == true)
    }
}
