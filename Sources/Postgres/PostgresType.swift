/// A type by its number in PostgreSQL's catalogue, and by the number of its array type.
package struct PostgresType: Hashable, Sendable {
    package let oid: UInt32
    /// The number of the array type; zero if there is none.
    package let arrayOID: UInt32

    package static let bool = PostgresType(oid: 16, arrayOID: 1000)
    package static let bytea = PostgresType(oid: 17, arrayOID: 1001)
    package static let name = PostgresType(oid: 19, arrayOID: 1003)
    package static let int8 = PostgresType(oid: 20, arrayOID: 1016)
    package static let int2 = PostgresType(oid: 21, arrayOID: 1005)
    package static let int4 = PostgresType(oid: 23, arrayOID: 1007)
    package static let text = PostgresType(oid: 25, arrayOID: 1009)
    package static let json = PostgresType(oid: 114, arrayOID: 199)
    package static let float4 = PostgresType(oid: 700, arrayOID: 1021)
    package static let float8 = PostgresType(oid: 701, arrayOID: 1022)
    package static let bpchar = PostgresType(oid: 1042, arrayOID: 1014)
    package static let varchar = PostgresType(oid: 1043, arrayOID: 1015)
    package static let date = PostgresType(oid: 1082, arrayOID: 1182)
    package static let time = PostgresType(oid: 1083, arrayOID: 1183)
    package static let timestamptz = PostgresType(oid: 1184, arrayOID: 1185)
    package static let uuid = PostgresType(oid: 2950, arrayOID: 2951)

    /// The first number of types that users create; the binary form of an enumeration is its label.
    static let firstOfUsers: UInt32 = 16384
}
