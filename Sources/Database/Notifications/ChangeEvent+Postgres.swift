import Contract
package import Postgres
package import Scheduling

extension ChangeEvent {
    package static let channel = "letsswitch"

    private static let notify = "SELECT pg_notify($1, event) FROM unnest($2::text[]) AS event"

    /// Sends the change events in a transaction of their own. A commit that notifies takes a lock of the
    /// whole database, so this is never done inside a transaction that writes.
    package static func send(_ changeEvents: [ChangeEvent], on connection: PostgresConnection)
        async throws(PostgresError)
    {
        try await connection.query(notify, [channel, changeEvents.map(\.text)])
    }
}
