import Postgres
import PostgresTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TypeTests {
    /// Returns the values that the server sends back for parameters.
    private func echo<Value: PostgresCodable & Equatable>(
        _ values: [Value], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await TestDatabase.withConnection { connection in
            for value in values {
                let rows = try await connection.query("SELECT $1", [value])
                let answer = try #require(rows.first).decode(0, Value.self)
                #expect(answer == value, sourceLocation: sourceLocation)
            }
        }
    }

    @Test("integers come back, the extreme ones too")
    func integers() async throws {
        try await echo([Int64.min, -1, 0, 1, .max])
        try await echo([Int32.min, -1, 0, 1, .max])
        try await echo([Int16.min, -1, 0, 1, .max])
        try await echo([Int.min, 0, .max])
    }

    @Test("truth, floating point and text come back")
    func scalars() async throws {
        try await echo([true, false])
        try await echo([0.0, -0.5, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
        try await echo(["", "a", "エール 🍺", "quote ' \" \\ $1", String(repeating: "x", count: 70_000)])
        try await echo([[UInt8](), [0], Array(0...255)])
    }

    @Test("a uuid is its 128 bits")
    func uuids() async throws {
        try await echo([UInt128.min, 1, .max])
        try await TestDatabase.withConnection { connection in
            let value: UInt128 = 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef
            let rows = try await connection.query("SELECT ($1::uuid)::text", [value])
            #expect(try rows[0].decode(0, String.self) == "01234567-89ab-cdef-0123-456789abcdef")
        }
    }

    @Test("times are microseconds since 1970")
    func times() async throws {
        try await echo([-1, 0, 1, 946_684_800_000_000, 4_102_444_800_999_999].map(PostgresTimestamp.init))
        try await TestDatabase.withConnection { connection in
            let rows = try await connection.query("SELECT '1970-01-01 00:00:01.5Z'::timestamptz")
            #expect(try rows[0].decode(0, PostgresTimestamp.self).microseconds == 1_500_000)
            await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT $1", [PostgresTimestamp(microseconds: .min)])
            }
            let infinite = try await connection.query("SELECT 'infinity'::timestamptz")
            #expect(throws: PostgresError.self) { try infinite[0].decode(0, PostgresTimestamp.self) }
        }
    }

    @Test("NULL is nil, in arrays too")
    func nulls() async throws {
        try await echo([Int64?.none, 5])
        try await echo([String?.none, ""])
        try await echo([[String?](), [nil], ["a", nil, ""]])
        try await echo([[Int64](), [1], Array(-500...500)])
        try await echo([[UInt128](), [.min, .max]])
        try await echo([[true, false]])
        try await echo([[PostgresTimestamp(microseconds: 7)]])
        try await echo([[[UInt8]](), [[], [1, 2]]])
    }

    @Test("several columns are read at once")
    func tuple() async throws {
        try await TestDatabase.withConnection { connection in
            let rows = try await connection.query("SELECT 1::int8, NULL::text, 'x'::text")
            let (number, nothing, text) = try rows[0].decode(Int64.self, String?.self, String.self)
            #expect(number == 1)
            #expect(nothing == nil)
            #expect(text == "x")
        }
    }

    @Test("a wrong type, NULL and a missing column are errors that name the column")
    func mismatches() async throws {
        try await TestDatabase.withConnection { connection in
            let rows = try await connection.query(
                "SELECT 1::int8 AS number, NULL::int8 AS nothing, '{{1},{2}}'::int8[]")
            for (column, name) in [(0, "number"), (1, "nothing")] {
                let error = try #require(throws: PostgresError.self) {
                    try rows[0].decode(column, String.self)
                }
                #expect("\(error)".contains(name))
            }
            #expect(throws: PostgresError.self) { try rows[0].decode(1, Int64.self) }
            #expect(throws: PostgresError.self) { try rows[0].decode(0, Int32.self) }
            #expect(throws: PostgresError.self) { try rows[0].decode(2, [Int64].self) }
            #expect(throws: PostgresError.self) { try rows[0].decode(3, Int64.self) }
        }
    }

    @Test("smaller integers widen, labels and names are text")
    func widening() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.simple("CREATE TYPE mood AS ENUM ('sad', 'happy')")
            let rows = try await connection.query(
                "SELECT 1::int2, 2::int4, 'happy'::mood, 'n'::name, '[1]'::json")
            let (small, middle, mood, name, json) = try rows[0].decode(
                Int64.self, Int64.self, String.self, String.self, String.self)
            #expect(small == 1 && middle == 2)
            #expect([mood, name, json] == ["happy", "n", "[1]"])
        }
    }
}
