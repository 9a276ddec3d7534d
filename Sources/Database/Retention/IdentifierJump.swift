package import Postgres

/// A jump of the ids that others know, after a database was brought back to an earlier state.
///
/// A stream of notifications resumes behind the last id that it has seen, and the receiver of a webhook drops
/// a delivery whose id it knows: an id that was given out since that state must not be given out again. Ids
/// go on with the number of microseconds since 1970, so that a second jump from the same state goes further.
package enum IdentifierJump {
    /// The number of partitions that a jump skips at least, also by a clock that is wrong. Ids of
    /// notifications go on by up to one partition a week.
    static let parts: Int64 = 10
    private static let deliveries: Int64 = 1_000_000_000

    private static let clock = "(extract(epoch FROM clock_timestamp()) * 1000000)::int8"

    private static let nextID = """
        SELECT greatest(\(clock), $1 + coalesce(greatest(
            pg_sequence_last_value(pg_get_serial_sequence('notifications', 'id')::regclass),
            max(\(DeliveryPartitions.upperBound))), 0))
        FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
        WHERE inhparent = 'deliveries'::regclass
        """

    private static let jump = """
        SELECT setval(pg_get_serial_sequence('notifications', 'id')::regclass, $1),
            setval('deliveries_ids',
                greatest(\(clock), coalesce(pg_sequence_last_value('deliveries_ids'), 0) + $2))
        """

    /// Makes the jump, with a partition for the deliveries of what comes. Returns the next id of a
    /// notification. `also` runs in the same transaction.
    @discardableResult
    package static func make(
        on connection: PostgresConnection, also: (PostgresConnection) async throws -> Void = { _ in }
    ) async throws -> Int64 {
        guard
            try await connection.query("SELECT to_regclass('deliveries_ids') IS NOT NULL")[0]
                .decode(0, Bool.self)
        else {
            throw PostgresError.invalid("the schema is older than partitions of deliveries: migrate it first")
        }
        return try await connection.transaction { connection in
            let size = DeliveryPartitions.idsOfOne
            let next = try await connection.query(nextID, [parts * size])[0].decode(0, Int64.self)
            try await connection.simple(
                "CREATE TABLE deliveries_\(next) PARTITION OF deliveries FOR VALUES FROM (\(next)) "
                    + "TO (\(next + size))")
            try await connection.query(jump, [next - 1, deliveries])
            try await also(connection)
            return next
        }
    }
}
