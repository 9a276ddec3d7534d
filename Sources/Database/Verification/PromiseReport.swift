package import Postgres

/// The findings of a check of the stored promises.
package struct PromiseReport: Equatable, Sendable {
    /// A promise that was checked.
    package struct Line: Equatable, Sendable {
        package let name: String
        package let text: String
        /// The number of rows, or slots, that break it.
        package let count: Int64
        /// The first few of them.
        package let examples: [String]
    }

    package let lines: [Line]

    package var broken: [Line] { lines.filter { $0.count > 0 } }

    /// The number of examples of one promise.
    private static let examples = 5
    /// The time limit of one query, which reads whole tables.
    private static let limit = Duration.seconds(3600)

    /// Checks the promises in one snapshot, in a transaction that only reads. `progress` is called after
    /// each.
    package static func make(
        of promises: [StoredPromise] = StoredPromise.all, on connection: PostgresConnection,
        progress: (Line) throws -> Void = { _ in }
    ) async throws -> PromiseReport {
        try await connection.withStatementTimeout(limit) { connection in
            try await connection.transaction(.repeatableRead, readOnly: true) { connection in
                try await make(of: promises, inTransactionOf: connection, progress: progress)
            }
        }
    }

    /// Checks the promises in a transaction of the caller.
    static func make(
        of promises: [StoredPromise] = StoredPromise.all, inTransactionOf connection: PostgresConnection,
        progress: (Line) throws -> Void = { _ in }
    ) async throws -> PromiseReport {
        try await connection.simple(StoredPromise.preparation)
        var lines: [Line] = []
        for promise in promises {
            let line = try await check(promise, on: connection)
            try progress(line)
            lines.append(line)
        }
        return PromiseReport(lines: lines)
    }

    private static func check(
        _ promise: StoredPromise, on connection: PostgresConnection
    ) async throws -> Line {
        let rows = try await connection.query(
            """
            WITH broken (example) AS MATERIALIZED (\(promise.query))
            SELECT count(*), ARRAY(SELECT example FROM broken ORDER BY example LIMIT \(examples)) FROM broken
            """)
        return try rows[0].read { Line(name: promise.name, text: promise.text, count: $0, examples: $1) }
    }
}
