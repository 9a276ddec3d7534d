import Postgres
import Reactor
import Testing

@testable import Backend

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

    @Test("a part that cannot compare keeps no other part from it, and its error is reported")
    func comparing() async {
        let parts = [true, false, true].map { Comparing(fails: $0) }
        await #expect(throws: PostgresError.timedOut) { try await (parts as [any Part]).compare() }
        #expect(parts.map { $0.count.withLock { $0 } } == [1, 1, 1])
    }
}
