import Testing

@testable import Backend

@Suite("Descriptors")
struct OpenFilesTests {
    @Test(
        "connections leave some to the rest of the server, and never more than half",
        arguments: [
            (limit: 1_048_576, wanted: 100_000, workers: 2, given: 100_000),
            (limit: 20_000, wanted: 100_000, workers: 2, given: 19_849),
            (limit: 20_000, wanted: 19_849, workers: 2, given: 19_849),
            (limit: 20_000, wanted: 100_000, workers: 256, given: 19_087),
            (limit: 1_024, wanted: 100_000, workers: 8, given: 855),
            (limit: 252, wanted: 100_000, workers: 2, given: 126),
            (limit: 64, wanted: 100_000, workers: 2, given: 32),
            (limit: 64, wanted: 10, workers: 2, given: 10),
            (limit: 1, wanted: 10, workers: 2, given: 1),
        ])
    func connections(limit: Int, wanted: Int, workers: Int, given: Int) {
        let files = OpenFiles(limit: limit)
        #expect(files.connections(atMost: wanted, workers: workers, database: 40, refusals: 64) == given)
    }

    @Test("the connections to the database are left out, however many they are")
    func database() {
        let files = OpenFiles(limit: 10_000)
        let few = files.connections(atMost: 100_000, workers: 2, database: 10, refusals: 64)
        #expect(few - files.connections(atMost: 100_000, workers: 2, database: 4_000, refusals: 64) == 3_990)
    }
}
