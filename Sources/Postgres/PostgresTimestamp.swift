/// An instant of `timestamptz`: microseconds since 1970-01-01T00:00:00Z.
package struct PostgresTimestamp: PostgresCodable, Hashable, Comparable {
    package var microseconds: Int64
    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// The instant from which PostgreSQL counts, 2000-01-01, in microseconds since 1970.
    private static let epoch: Int64 = 946_684_800_000_000

    package static var postgresType: PostgresType { .timestamptz }

    package func encodePostgres(into bytes: inout [UInt8]) {
        let (value, overflow) = microseconds.subtractingReportingOverflow(Self.epoch)
        // The lowest number means -infinity; the server refuses the next one as out of range.
        bytes.appendBigEndian(overflow ? Int64.min + 1 : value)
    }

    package static func encodePostgresArray(_ values: [Self], into bytes: inout [UInt8]) {
        bytes.appendPostgresArray(values)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        let value = try field.integer(Int64.self, of: .timestamptz)
        let (microseconds, overflow) = value.addingReportingOverflow(Self.epoch)
        guard value != .min, value != .max, !overflow else { throw .decoding("an infinite time") }
        self.microseconds = microseconds
    }
}
