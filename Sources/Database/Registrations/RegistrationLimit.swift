import Contract
import Postgres
package import Settings

/// The limits on the registrations of one account: how many it holds that are neither over nor cancelled, and
/// how many it makes in a day.
package struct RegistrationLimit: Sendable {
    /// The most open registrations; nil for no limit.
    private let open: OpenLimit?
    /// The most new registrations in a day; nil for no limit.
    private let daily: DailyLimit?

    /// Creates the limits; nil if both settings are off.
    package init?(_ configuration: ServerConfiguration) {
        open = OpenLimit(configuration)
        daily = DailyLimit(configuration)
        if open == nil, daily == nil { return nil }
    }

    /// Whether new registrations are counted by the day.
    var countsDays: Bool { daily != nil }

    /// Returns the statements that count what users have who are held.
    func statements(of users: [Identifier], at now: Timestamp) -> [PostgresConnection.PipelinedStatement] {
        [open?.count(of: users, at: now), daily?.count(of: users, at: now)].compactMap { $0 }
    }

    /// Returns the requests beyond a limit, by their index, from the rows of the statements: refused, or to
    /// be tried again if that depends on an earlier one of the same user.
    func refused(
        _ requests: [RegistrationRequest], _ rows: [PostgresRows], at now: Timestamp
    ) throws(PostgresError) -> [Int: RegistrationWriter.Decision] {
        var rest = rows[...]
        var refused: [Int: RegistrationWriter.Decision] = [:]
        if let open, let rows = rest.popFirst() { refused = try open.refused(requests, rows) }
        if let daily, let rows = rest.popFirst() {
            refused.merge(try daily.refused(requests, rows, at: now)) { held, made in
                held == .again ? made : held
            }
        }
        return refused
    }

    /// Returns the requests that find no room, by their index. `room` is what is left for a user, and `size`
    /// what a request takes of it.
    static func refused(
        _ requests: [RegistrationRequest], room: (Identifier) -> Int64, size: (RegistrationRequest) -> Int64,
        outcome: (Identifier) -> RegistrationRequest.Outcome
    ) -> [Int: RegistrationWriter.Decision] {
        var refused: [Int: RegistrationWriter.Decision] = [:]
        var admitted: [Identifier: Int64] = [:]
        for (index, request) in requests.enumerated() {
            let (room, more) = (room(request.user), size(request))
            let earlier = admitted[request.user] ?? 0
            if more > 0, more > room {
                refused[index] = .settled(outcome(request.user))
            } else if more > 0, earlier + more > room {
                // The earlier request may fail yet.
                refused[index] = .again
            } else {
                admitted[request.user] = earlier + more
            }
        }
        return refused
    }
}

/// The limit on the registrations of one user that are neither over nor cancelled.
private struct OpenLimit: Sendable {
    let allowed: Int
    private let slotSeconds: Int
    /// Whether slots have several lengths.
    private let hasLengths: Bool

    init?(_ configuration: ServerConfiguration) {
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

    func count(of users: [Identifier], at now: Timestamp) -> PostgresConnection.PipelinedStatement {
        hasLengths
            ? (Self.countOpenOfLengths, [users, now]) : (Self.countOpen, [users, now.adding(.zero - slot)])
    }

    /// The time from what the statement calls the first end to that end.
    private var slot: Duration { hasLengths ? .zero : .seconds(slotSeconds) }

    func refused(
        _ requests: [RegistrationRequest], _ rows: PostgresRows
    ) throws(PostgresError) -> [Int: RegistrationWriter.Decision] {
        var open: [Identifier: OpenRegistrations] = [:]
        for row in rows {
            let (user, count, first) = try row.decode(Identifier.self, Int64.self, Timestamp.self)
            open[user] = OpenRegistrations(count: count, allowed: allowed, firstEnd: first.adding(slot))
        }
        let none = OpenRegistrations(count: 0, allowed: allowed)
        return RegistrationLimit.refused(
            requests, room: { Int64(allowed) - (open[$0] ?? none).count }, size: { Int64($0.slots.count) },
            outcome: { .tooMany(open[$0] ?? none) })
    }
}

/// The limit on the registrations that one account makes in a day of UTC, whether they are cancelled since or
/// not. An account that is new has less, and grows into the full limit day by day.
package struct DailyLimit: Sendable {
    /// The number of registrations that an account may make on its first day, unless the full limit is less;
    /// each day of its age adds as many.
    package static let firstDay = 150

    let allowed: Int

    init?(_ configuration: ServerConfiguration) {
        guard configuration.accountRegistrationsPerDay > 0 else { return nil }
        allowed = configuration.accountRegistrationsPerDay
    }

    /// The server's clock may be behind the one that counted last, so a later day counts as well.
    private static let countMade = """
        SELECT id, created_at, coalesce(made, 0)
        FROM accounts LEFT JOIN registrations_made ON user_id = id AND day >= $2::date
        WHERE id = ANY($1::uuid[])
        """

    func count(of users: [Identifier], at now: Timestamp) -> PostgresConnection.PipelinedStatement {
        (Self.countMade, [users, LocalDate(utc: now)])
    }

    /// Returns the limit of an account that was made at an instant.
    func allowed(since createdAt: Timestamp, at now: Timestamp) -> Int {
        let days = max(0, now.since(createdAt).components.seconds / 86_400)
        let grown = (days + 1).multipliedReportingOverflow(by: Int64(Self.firstDay))
        return grown.overflow ? allowed : min(allowed, Int(grown.partialValue))
    }

    func refused(
        _ requests: [RegistrationRequest], _ rows: PostgresRows, at now: Timestamp
    ) throws(PostgresError) -> [Int: RegistrationWriter.Decision] {
        var days: [Identifier: MadeRegistrations] = [:]
        for row in rows {
            let (user, createdAt, made) = try row.decode(Identifier.self, Timestamp.self, Int64.self)
            days[user] = MadeRegistrations(count: made, allowed: allowed(since: createdAt, at: now))
        }
        let none = MadeRegistrations(count: 0, allowed: allowed)
        return RegistrationLimit.refused(
            requests,
            room: { user in
                let day = days[user] ?? none
                return Int64(day.allowed) - day.count
            }, size: { $0.made }, outcome: { .tooManyToday(days[$0] ?? none) })
    }
}
