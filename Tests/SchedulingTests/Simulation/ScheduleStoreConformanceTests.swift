import Postgres
import PostgresTesting
import TestKit
import Testing

@testable import BackendTesting

/// Tests that the model behaves as PostgreSQL does: a simulation is worth what its model is worth.
@Suite("The model of the store and PostgreSQL")
struct ScheduleStoreConformanceTests {
    @Test("the same script gets the same answers", arguments: UInt64(1)...6)
    func sameAnswers(seed: UInt64) async throws {
        let model = try await blocking { try ModelSubject.play(seed: seed).get() }
        try await TestDatabase.with(copyOf: .migrated) { database in
            let pool = PostgresPool(database.configuration, on: database.loop)
            let real = try await StoreScript.play(PostgresSubject(pool: pool), seed: seed)
            await pool.shutdown()
            for (line, (modelled, said)) in zip(model, real).enumerated() where modelled != said {
                Issue.record("seed \(seed), line \(line): the model says \(modelled), PostgreSQL \(said)")
                return
            }
            #expect(model.count == real.count)
        }
    }
}
