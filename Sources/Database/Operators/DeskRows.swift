package import Contract
package import Postgres

/// A page of a list for operators: each row is an object in JSON, which the database has made.
package struct DeskPage: Sendable {
    package let rows: [String]
    /// The cursor of the next page; nil on the last one.
    package let nextCursor: String?
}

/// Reads rows that the database makes JSON of: what operators look at is shown as it is stored, and needs no
/// type of its own.
package enum DeskRows {
    /// Runs a statement that selects an object and its cursor; NULL in a list without a next page. Its last
    /// parameter is the number of rows.
    package static func page(
        _ sql: String, _ parameters: [any PostgresEncodable], limit: Int, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskPage {
        let rows = try await pool.query(sql, parameters + [Int64(limit + 1)], retrying: true)
            .map { row throws(PostgresError) in try row.decode(String.self, String?.self) }
        return DeskPage(
            rows: rows.prefix(limit).map(\.0), nextCursor: rows.count > limit ? rows[limit - 1].1 : nil)
    }

    /// Runs a statement that selects one object; nil where there is no row.
    package static func one(
        _ sql: String, _ parameters: [any PostgresEncodable], in pool: PostgresPool
    ) async throws(PostgresError) -> String? {
        try await pool.query(sql, parameters, retrying: true).first?.decode(0, String.self)
    }

    /// Returns the expression that writes a time in RFC 3339 with `Z`; NULL stays NULL.
    static func time(_ expression: String) -> String {
        "to_char((\(expression)) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
    }

    /// Returns the expression that writes the start of a slot by its key: whole seconds.
    static func start(_ key: String) -> String {
        "to_char(\(key) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
    }

    /// Returns the expression for the length in minutes that a key tells; NULL for the usual one.
    static func minutes(_ key: String) -> String {
        "nullif((extract(microseconds FROM \(key))::int8 % 1000000)::int, 0)"
    }

    /// Returns the expression that writes a key for people: the start, and the minutes after a slash.
    static func key(_ key: String) -> String {
        "\(start(key)) || coalesce('/' || \(minutes(key)), '')"
    }

    /// Returns the expression of a cursor by a time and an id.
    static func cursor(_ time: String, _ id: String) -> String {
        "(extract(epoch FROM \(time)) * 1000000)::int8 || '.' || \(id)"
    }
}

/// A position in a list that is ordered by a time and an id.
package struct DeskCursor<ID: LosslessStringConvertible & Sendable>: Sendable {
    package let time: Timestamp
    package let id: ID

    package var text: String { "\(time.microseconds).\(id)" }

    init(_ time: Timestamp, _ id: ID) {
        self.time = time
        self.id = id
    }

    /// Reads a cursor; nil if no server wrote it.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]).flatMap({ Timestamp(cursor: $0) }),
            let id = ID(String(parts[1]))
        else { return nil }
        self.init(time, id)
    }
}

extension Timestamp {
    /// Reads microseconds since 1970 of a cursor; nil for an instant that PostgreSQL has no time for.
    package init?(cursor microseconds: Int64) {
        guard (-62_167_219_200_000_000...253_402_300_799_999_999).contains(microseconds) else { return nil }
        self.init(microseconds: microseconds)
    }
}
