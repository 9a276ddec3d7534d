import Reactor
import Settings
import Testing

@testable import Backend

@Suite("The plan of descriptors")
struct DescriptorPlanTests {
    private static func configuration(
        workers: Int = 2, database: Int = 40, connections: Int = 100_000, ports: Bool = false
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.workers = workers
        configuration.databaseConnections = database
        configuration.maxConnections = connections
        if ports { (configuration.internalPort, configuration.adminPort) = (1, 2) }
        return configuration
    }

    @Test(
        "gives connections the descriptors that no other part has reserved",
        arguments: [
            (limit: 1_048_576, workers: 2, connections: 100_000),
            (limit: 20_000, workers: 2, connections: 18_926),
            (limit: 20_000, workers: 256, connections: 17_910), (limit: 1_024, workers: 8, connections: 738),
            (limit: 1_024, workers: 2, connections: 756), (limit: 256, workers: 2, connections: 106),
        ])
    func connections(limit: Int, workers: Int, connections: Int) throws {
        let plan = try DescriptorPlan(limit: limit, Self.configuration(workers: workers))
        #expect(plan.connections == connections)
    }

    @Test("reserves no more than there is", arguments: [200, 256, 512, 1_024, 4_096, 65_536, 1_048_576])
    func sum(limit: Int) throws {
        let plan = try DescriptorPlan(limit: limit, Self.configuration(database: 10, ports: true))
        let others = plan.reserved.filter { $0.key != .connections }.values.reduce(0, +)
        #expect(others + plan.connections <= DescriptorBudget.capacity(at: limit))
        #expect(plan.reserved.values.allSatisfy { $0 > 0 } && plan.connections > 0)
        // Tests of endpoints have what no other part has reserved.
        #expect(Set(DescriptorBudget.Holder.allCases).subtracting(plan.reserved.keys) == [.tests])
        // Each attempt and each look-up can be made, however full the server is.
        #expect(plan.reserved[.deliveries] ?? 0 >= DescriptorBudget.Holder.deliveries.each)
        #expect(plan.reserved[.lookUps] ?? 0 >= DescriptorBudget.Holder.lookUps.each)
        #expect(plan.reserved[.names] ?? 0 >= DescriptorBudget.Holder.names.each)
    }

    @Test("refuses a limit that is too low for the settings, with the numbers and what to do")
    func tooLow() throws {
        let configuration = Self.configuration(database: 1_000)
        let failure = #expect(throws: StartFailure.self) {
            try DescriptorPlan(limit: 1_024, configuration)
        }
        let text = try #require(failure?.description)
        #expect(text.contains("is 1024") && text.contains("1000 for DATABASE_CONNECTIONS"), "\(text)")
        #expect(text.contains("WORKERS=2") && text.contains("ulimit -n"), "\(text)")
        // The number that it names is enough, and the one below is not.
        let needed = try #require(
            text.split(separator: ":").first?.split(separator: " ").last.flatMap { Int($0) })
        #expect(throws: Never.self) { try DescriptorPlan(limit: needed, configuration) }
        #expect(throws: StartFailure.self) { try DescriptorPlan(limit: needed - 1, configuration) }
    }
}
