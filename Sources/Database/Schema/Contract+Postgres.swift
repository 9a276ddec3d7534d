package import Contract
package import Postgres

extension Contract.Identifier: PostgresCodable {
    package static var postgresType: PostgresType { UInt128.postgresType }

    package func encodePostgres(into bytes: inout [UInt8]) { value.encodePostgres(into: &bytes) }

    /// As by default, which a caller in another module would run without knowing the type.
    package static func encodePostgresArray(_ values: [Self], into bytes: inout [UInt8]) {
        UInt128.encodePostgresArray(values.map(\.value), into: &bytes)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        self.init(value: try UInt128(postgres: field))
    }
}

extension Timestamp: PostgresCodable {
    package static var postgresType: PostgresType { PostgresTimestamp.postgresType }

    package func encodePostgres(into bytes: inout [UInt8]) {
        PostgresTimestamp(microseconds: microseconds).encodePostgres(into: &bytes)
    }

    /// As by default, which a caller in another module would run without knowing the type.
    package static func encodePostgresArray(_ values: [Self], into bytes: inout [UInt8]) {
        PostgresTimestamp.encodePostgresArray(
            values.map { PostgresTimestamp(microseconds: $0.microseconds) }, into: &bytes)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        self.init(microseconds: try PostgresTimestamp(postgres: field).microseconds)
    }
}

/// Enumerations whose values are texts in the database.
extension EndpointKind: PostgresDecodable {}
extension RegistrationState: PostgresDecodable {}
extension RoutineOccurrence.State: PostgresDecodable {}
extension SessionOutcome: PostgresDecodable {}

extension PostgresDecodable where Self: RawRepresentable, RawValue == String {
    package init(postgres field: PostgresField) throws(PostgresError) {
        guard let value = Self(rawValue: try String(postgres: field)) else {
            throw .decoding("an unknown \(Self.self)")
        }
        self = value
    }
}

/// A day is encoded as `date`, which counts from 2000-01-01.
extension LocalDate: PostgresCodable {
    private static let epoch: Int64 = 10_957

    package static var postgresType: PostgresType { .date }

    package func encodePostgres(into bytes: inout [UInt8]) {
        Int32(truncatingIfNeeded: dayNumber - Self.epoch).encodePostgres(into: &bytes)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        let number = Int64(try field.integer(Int32.self, of: .date)) + Self.epoch
        self.init(clampingDayNumber: number)
        guard dayNumber == number else { throw .decoding("a day that cannot be written") }
    }
}

/// A time of day is encoded as `time`, in microseconds.
extension LocalTime: PostgresCodable {
    package static var postgresType: PostgresType { .time }

    package func encodePostgres(into bytes: inout [UInt8]) {
        (Int64((hour * 60 + minute) * 60 + second) * 1_000_000).encodePostgres(into: &bytes)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        let seconds = Int(try field.integer(Int64.self, of: .time) / 1_000_000)
        guard let time = LocalTime(hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60)
        else { throw .decoding("a time beyond a day") }
        self = time
    }
}
