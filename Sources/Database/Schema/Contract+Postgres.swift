package import Contract
package import Postgres

extension Contract.Identifier: PostgresCodable {
    package static var postgresType: PostgresType { UInt128.postgresType }

    package func encodePostgres(into bytes: inout [UInt8]) { value.encodePostgres(into: &bytes) }

    package init(postgres field: PostgresField) throws(PostgresError) {
        self.init(value: try UInt128(postgres: field))
    }
}

extension Timestamp: PostgresCodable {
    package static var postgresType: PostgresType { PostgresTimestamp.postgresType }

    package func encodePostgres(into bytes: inout [UInt8]) {
        PostgresTimestamp(microseconds: microseconds).encodePostgres(into: &bytes)
    }

    package init(postgres field: PostgresField) throws(PostgresError) {
        self.init(microseconds: try PostgresTimestamp(postgres: field).microseconds)
    }
}
