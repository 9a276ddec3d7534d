import Contract
import Postgres
package import Settings

/// The limit on the registrations of one user that are neither over nor cancelled. There is none if the
/// setting is off.
package struct RegistrationLimit: Sendable {
    package let allowed: Int
    private let slotSeconds: Int
    /// Whether slots have several lengths.
    private let hasLengths: Bool

    package init?(_ configuration: ServerConfiguration) {
        guard configuration.accountRegistrations > 0 else { return nil }
        allowed = configuration.accountRegistrations
        slotSeconds = configuration.slotSeconds
        hasLengths = !configuration.slotLengths.isEmpty
    }

    /// Counts open registrations from the index alone: a slot is over when its length has passed. `$2` is the
    /// latest start that is over.
    private static let countOpen = """
        SELECT user_id, count(*), min(starts_at)
        FROM registrations
        WHERE user_id = ANY($1::uuid[]) AND cancelled_at IS NULL AND starts_at > $2
        GROUP BY user_id
        """

    /// Counts the registrations that are not over and finds the first end, where slots have several lengths.
    /// `$2` is the current time.
    private static let countOpenOfLengths = """
        SELECT user_id, count(*), min(ends_at)
        FROM registrations JOIN slots USING (starts_at)
        WHERE user_id = ANY($1::uuid[]) AND cancelled_at IS NULL AND ends_at > $2
            AND starts_at > $2::timestamptz - interval '1 day'
        GROUP BY user_id
        """

    /// The statement that counts what users have who are held.
    func count(of users: [Identifier], at now: Timestamp) -> PostgresConnection.PipelinedStatement {
        hasLengths
            ? (Self.countOpenOfLengths, [users, now]) : (Self.countOpen, [users, now.adding(.zero - slot)])
    }

    /// The time from what the statement calls the first end to that end.
    private var slot: Duration { hasLengths ? .zero : .seconds(slotSeconds) }

    /// Returns the requests beyond the limit, by their index, from the rows of `count`: refused, or to be
    /// tried again if that depends on an earlier one of the same user.
    func refused(
        _ requests: [RegistrationRequest], _ rows: PostgresRows
    ) throws(PostgresError) -> [Int: RegistrationWriter.Decision] {
        var open: [Identifier: OpenRegistrations] = [:]
        for row in rows {
            let (user, count, first) = try row.decode(Identifier.self, Int64.self, Timestamp.self)
            open[user] = OpenRegistrations(count: count, allowed: allowed, firstEnd: first.adding(slot))
        }
        return refusals(requests, open)
    }

    private func refusals(
        _ requests: [RegistrationRequest], _ open: [Identifier: OpenRegistrations]
    ) -> [Int: RegistrationWriter.Decision] {
        var refused: [Int: RegistrationWriter.Decision] = [:]
        var admitted: [Identifier: Int64] = [:]
        for (index, request) in requests.enumerated() {
            let open = open[request.user] ?? OpenRegistrations(count: 0, allowed: allowed)
            let more = Int64(request.slots.count)
            let earlier = admitted[request.user] ?? 0
            if open.count + more > Int64(allowed) {
                refused[index] = .settled(.tooMany(open))
            } else if open.count + earlier + more > Int64(allowed) {
                // The earlier request may fail yet.
                refused[index] = .again
            } else {
                admitted[request.user] = earlier + more
            }
        }
        return refused
    }
}
