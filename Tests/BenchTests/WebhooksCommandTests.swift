import Contract
import Testing

@testable import bench

struct WebhooksCommandTests {
    private static let names: Set<String> = [
        "port", "people", "hosts", "silent", "slot", "slots", "slot-seconds", "lead", "patience",
    ]

    private func plan(_ words: String...) throws -> WebhookPlan {
        try WebhooksCommand.plan(try Options(words[...], values: Self.names))
    }

    @Test("slots follow each other, and everybody is due the lead before each")
    func slots() throws {
        let plan = try plan(
            "--port", "8000", "--people", "7", "--hosts", "3", "--slot", "2027-03-28T09:30:00Z", "--slots",
            "2",
            "--slot-seconds", "30", "--lead", "15")
        #expect(plan.port == 8_000 && plan.people == 7 && plan.hosts == 3 && plan.silent == 0)
        #expect(plan.slots.map(\.description) == ["2027-03-28T09:30:00Z", "2027-03-28T09:30:30Z"])
        #expect(plan.lastDue?.description == "2027-03-28T09:30:15Z")
    }

    @Test("what is missing or makes no sense is named")
    func nonsense() {
        #expect(throws: BenchError.self) { try plan("--port", "1", "--people", "7") }
        #expect(throws: BenchError.self) { try plan("--port", "1", "--people", "7", "--slot", "noon") }
        #expect(throws: BenchError.self) {
            try plan("--port", "1", "--people", "7", "--slot", "2027-03-28T09:30:00Z", "--hosts", "251")
        }
    }
}
