package import Postgres

/// A database that is filled once for this process, and of which tests get copies: faster than to fill each.
package final class TestTemplate: Sendable {
    private let made: Task<String, any Error>

    package init(_ fill: @escaping @Sendable (PostgresConnection) async throws -> Void) {
        made = Task {
            let server = try await TestServer.url()
            let name = TestDatabase.newName()
            try await TestDatabase.administer(server, "CREATE DATABASE \(name) TEMPLATE template0")
            try await TestDatabase(name: name, server: server).withConnection(fill)
            // No test connects to it from now on, so that it can be copied at any time.
            try await TestDatabase.administer(server, "ALTER DATABASE \(name) ALLOW_CONNECTIONS false")
            return name
        }
    }

    var name: String { get async throws { try await made.value } }
}
