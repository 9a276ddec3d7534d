package import Postgres
package import Reactor
import TestKit

/// A database for one test, empty or a copy.
package struct TestDatabase: Sendable {
    package let name: String
    package let url: String
    package let configuration: PostgresConfiguration
    /// A loop for the test's own connections.
    package let loop: EventLoop

    /// Makes a database on the shared server, lends it to the body, and drops it, also with open connections.
    /// It is empty unless it is a copy.
    @discardableResult
    package static func with<Value>(
        copyOf template: TestTemplate? = nil, _ body: (TestDatabase) async throws -> Value
    ) async throws -> Value {
        let server = try await TestServer.url()
        let name = newName()
        let original = try await template?.name ?? "template0"
        try await administer(server, "CREATE DATABASE \(name) TEMPLATE \(original)")
        let value: Value
        do {
            value = try await body(try TestDatabase(name: name, server: server))
        } catch {
            try? await administer(server, "DROP DATABASE \(name) WITH (FORCE)")
            throw error
        }
        try await administer(server, "DROP DATABASE \(name) WITH (FORCE)")
        return value
    }

    /// Makes an empty database, and lends a connection to it to the body.
    @discardableResult
    package static func withConnection<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await with { try await $0.withConnection(body) }
    }

    /// Opens a connection, lends it to the body, and closes it.
    @discardableResult
    package func withConnection<Value>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        try await withPostgresConnection(configuration, on: loop, body)
    }

    static func newName() -> String { "test_" + String(UInt64.random(in: .min ... .max), radix: 36) }

    init(name: String, server: String) throws {
        self.name = name
        let isURL = server.contains("://")
        url = server + (isURL ? server.contains("?") ? "&" : "?" : " ") + "dbname=\(name)"
        var configuration = try PostgresConfiguration(url: url)
        configuration.bePatient()
        self.configuration = configuration
        loop = TestLoops.next()
    }

    static func administer(_ server: String, _ statement: String) async throws {
        var configuration = try PostgresConfiguration(url: server)
        configuration.bePatient()
        try await withPostgresConnection(configuration, on: TestLoops.next()) { connection in
            try await connection.simple(statement)
        }
    }
}

/// Opens a connection, lends it to the body, and closes it.
@discardableResult
package func withPostgresConnection<Value>(
    _ configuration: PostgresConfiguration, on loop: EventLoop,
    _ body: (PostgresConnection) async throws -> Value
) async throws -> Value {
    let connection = try await PostgresConnection.connect(configuration, on: loop)
    let value: Value
    do {
        value = try await body(connection)
    } catch {
        await connection.close()
        throw error
    }
    await connection.close()
    return value
}

extension PostgresConfiguration {
    /// Lengthens the timeouts, since parallel tests create databases at once, on a machine that compiles
    /// meanwhile.
    package mutating func bePatient() {
        acquireTimeout = .seconds(60)
        connectTimeout = .seconds(60)
        statementTimeout = .seconds(60)
        lockTimeout = .seconds(60)
    }
}
