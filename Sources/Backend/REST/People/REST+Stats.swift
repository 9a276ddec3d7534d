import Contract
import HTTP1
import HTTPServer
import Postgres

extension REST {
    func addStats(to router: inout Router) { router.on(.get, Routes.stats, signedIn(readStats)) }

    /// Each run of the streaks begins with a slot that was not attended, but for the first.
    ///
    /// A room's opening is for its members also the moment of their own late registration.
    private static let stats = """
        WITH slot AS (\(SlotOutcomes.rows(of: "ARRAY[$1::uuid]"))),
        numbered AS (
            SELECT outcome, count(*) FILTER (WHERE outcome <> 'attended') OVER (ORDER BY starts_at) AS number
            FROM slot WHERE outcome IN \(SlotOutcomes.counted)
        ),
        run AS (
            SELECT number, count(*) FILTER (WHERE outcome = 'attended') AS length
            FROM numbered GROUP BY number
        ),
        entry AS (
            SELECT greatest(extract(epoch FROM
                min(visit.entered_at) - greatest(min(room.opened_at), min(registration.created_at))), 0) AS seconds
            FROM slot
            JOIN registrations AS registration
                ON registration.user_id = $1 AND registration.starts_at = slot.starts_at
                    AND registration.cancelled_at IS NULL
            JOIN members AS visit ON visit.registration_id = registration.id
            JOIN rooms AS room ON room.id = visit.room_id
            WHERE slot.outcome = 'attended' AND NOT slot.is_disturbed
            GROUP BY slot.starts_at
        )
        SELECT count(*) FILTER (WHERE outcome = 'attended'), count(*) FILTER (WHERE outcome = 'missed'),
            count(*) FILTER (WHERE outcome = 'cancelled'),
            (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds))::int8 FROM entry),
            (SELECT round(avg(seconds))::int8 FROM entry),
            coalesce((SELECT length FROM run ORDER BY number DESC LIMIT 1), 0),
            coalesce((SELECT max(length) FROM run), 0)
        FROM slot
        """

    private static let company = """
        SELECT coalesce(sum(ours.ales_sent), 0)::int8, coalesce(sum(ours.ales_received), 0)::int8, (
            SELECT count(DISTINCT other.user_id)
            FROM registrations AS own
            JOIN members AS ours ON ours.registration_id = own.id AND ours.entered_at IS NOT NULL
            JOIN members AS theirs ON \(Met.together("ours", "theirs")) AND theirs.entered_at IS NOT NULL
            JOIN registrations AS other ON other.id = theirs.registration_id AND other.user_id <> $1
            WHERE own.user_id = $1)
        FROM registrations AS own
        JOIN members AS ours ON ours.registration_id = own.id
        WHERE own.user_id = $1
        """

    private func readStats(_ user: SignedInUser, _ request: HTTPRequest) async throws -> HTTPResponse {
        let database = application.database(request.loop)
        let slots = try await database.query(Self.stats, [user.id], retrying: true)[0]
        let (attended, missed, cancelled, median, mean, current, longest) = try slots.decode(
            Int64.self, Int64.self, Int64.self, Int64?.self, Int64?.self, Int64.self, Int64.self)
        let company = try await database.query(Self.company, [user.id], retrying: true)[0]
        let (sent, received, partners) = try company.decode(Int64.self, Int64.self, Int64.self)
        var punctuality: Stats.Punctuality?
        if let median, let mean {
            punctuality = Stats.Punctuality(medianSeconds: median, meanSeconds: mean)
        }
        return try Answer.json(
            Stats(
                attended: attended, missed: missed, lateCancellations: cancelled, punctuality: punctuality,
                currentStreak: current, longestStreak: longest, alesSent: sent, alesReceived: received,
                partnersMet: partners))
    }
}
