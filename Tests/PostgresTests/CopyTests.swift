import Postgres
import PostgresTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CopyTests {
    private struct Thrown: Error {}
    private static let table =
        "CREATE TABLE t (id int8 PRIMARY KEY, room uuid, name text, at timestamptz, tags text[])"
    private static let copy = "COPY t FROM STDIN (FORMAT binary)"

    private func append(_ row: inout CopyRow, _ number: Int) {
        row.append(number)
        row.append(UInt128(number))
        row.append(number % 3 == 0 ? nil : "name \(number)")
        row.append(PostgresTimestamp(microseconds: Int64(number)))
        row.append(["a", nil])
    }

    @Test("10,000 rows arrive as they were, in pieces", arguments: [0, 1, 10_000])
    func rows(count: Int) async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple(Self.table)
            #expect(try await connection.copyIn(Self.copy, 0..<count, append) == count)
            let rows = try await connection.query("SELECT id, room, name FROM t ORDER BY id")
            #expect(rows.count == count)
            for (number, row) in rows.enumerated() {
                let (id, room, name) = try row.decode(Int.self, UInt128.self, String?.self)
                guard id == number, room == UInt128(number),
                    name == (number % 3 == 0 ? nil : "name \(number)")
                else {
                    Issue.record("row \(number) is \(id), \(room), \(name ?? "NULL")")
                    break
                }
            }
        }
    }

    @Test("where the rows throw, none is added and the connection stays usable")
    func abandoned() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple(Self.table)
            await #expect(throws: Thrown.self) {
                try await connection.copyIn(Self.copy, 0..<10_000) { row, number in
                    if number == 9_000 { throw Thrown() }
                    append(&row, number)
                }
            }
            #expect(try await connection.query("SELECT FROM t").isEmpty)
        }
    }

    @Test("a row that the table refuses fails the copy with its constraint")
    func refused() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple(Self.table)
            let error = try await #require(throws: PostgresError.self) {
                try await connection.copyIn(Self.copy, 0..<10_000) { append(&$0, $1 == 20 ? 19 : $1) }
            }
            #expect(error.sqlState == .uniqueViolation)
            #expect(error.constraint == "t_pkey")
            #expect(try await connection.query("SELECT FROM t").isEmpty)
        }
    }

    @Test("a copy into nowhere, and what is no copy, are refused")
    func misuse() async throws {
        try await TestDatabase.withConnection { connection in
            for statement in ["COPY nowhere FROM STDIN (FORMAT binary)", "SELECT 1"] {
                await #expect(throws: PostgresError.self) {
                    try await connection.copyIn(statement, 0..<1) { $0.append($1) }
                }
            }
            try await connection.query("SELECT 1")
        }
    }
}
