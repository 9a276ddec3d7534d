package import Contract
package import Postgres

extension Stats {
    /// Each run of the streaks begins with a slot that was not attended, but for the first, which goes on
    /// from the slots that were removed. The median is one of whole seconds, which are kept of each entry.
    private static let stats = """
        WITH slot AS (\(SlotOutcomes.rows(of: "ARRAY[$1::uuid]"))),
        past AS (
            SELECT coalesce(sum(attended), 0)::int8 AS attended, coalesce(sum(missed), 0)::int8 AS missed,
                coalesce(sum(cancelled), 0)::int8 AS cancelled, coalesce(sum(entries), 0) AS entries,
                coalesce(sum(entry_seconds), 0) AS entry_seconds,
                coalesce(sum(current_streak), 0)::int8 AS current_streak,
                coalesce(sum(longest_streak), 0)::int8 AS longest_streak
            FROM past_sums WHERE user_id = $1
        ),
        numbered AS (
            SELECT outcome, count(*) FILTER (WHERE outcome <> 'attended') OVER (ORDER BY starts_at) AS number
            FROM slot WHERE outcome IN \(SlotOutcomes.counted)
        ),
        run AS (
            SELECT number, count(*) FILTER (WHERE outcome = 'attended')
                + CASE WHEN number = 0 THEN min(past.current_streak) ELSE 0 END AS length
            FROM numbered CROSS JOIN past GROUP BY number
        ),
        entry AS (\(SlotOutcomes.entries))
        SELECT count(*) FILTER (WHERE outcome = 'attended') + min(past.attended),
            count(*) FILTER (WHERE outcome = 'missed') + min(past.missed),
            count(*) FILTER (WHERE outcome = 'cancelled') + min(past.cancelled),
            (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds))::int8 FROM (
                SELECT round(seconds) AS seconds FROM entry
                UNION ALL
                SELECT seconds FROM past_entries CROSS JOIN generate_series(1, times) WHERE user_id = $1
            ) AS whole),
            (SELECT round((coalesce(sum(seconds), 0) + min(past.entry_seconds))
                / nullif(count(seconds) + min(past.entries), 0))::int8 FROM past LEFT JOIN entry ON true),
            coalesce((SELECT length FROM run ORDER BY number DESC LIMIT 1), min(past.current_streak)),
            greatest((SELECT max(length) FROM run), min(past.longest_streak))
        FROM past LEFT JOIN slot ON true
        """

    private static let company = """
        WITH past AS (
            SELECT coalesce(sum(ales_sent), 0) AS sent, coalesce(sum(ales_received), 0) AS received
            FROM past_sums WHERE user_id = $1
        )
        SELECT (coalesce(sum(ours.ales_sent), 0) + min(past.sent))::int8,
            (coalesce(sum(ours.ales_received), 0) + min(past.received))::int8, (
            SELECT count(*) FROM (
                SELECT other.user_id
                FROM registrations AS own
                JOIN members AS ours ON ours.registration_id = own.id AND ours.entered_at IS NOT NULL
                JOIN members AS theirs ON \(Met.together("ours", "theirs")) AND theirs.entered_at IS NOT NULL
                JOIN registrations AS other ON other.id = theirs.registration_id AND other.user_id <> $1
                WHERE own.user_id = $1
                UNION
                SELECT other_id FROM past_meetings WHERE one_id = $1
                UNION
                SELECT one_id FROM past_meetings WHERE other_id = $1
            ) AS partner (id) JOIN accounts USING (id))
        FROM past
        LEFT JOIN (registrations AS own JOIN members AS ours ON ours.registration_id = own.id)
            ON own.user_id = $1
        """

    /// Returns the outcomes. A session that was cancelled after all has none.
    private static let outcomes = """
        WITH past AS (
            SELECT coalesce(sum(done), 0)::int8 AS done, coalesce(sum(partly), 0)::int8 AS partly,
                coalesce(sum(not_done), 0)::int8 AS not_done
            FROM past_sums WHERE user_id = $1
        )
        SELECT count(*) FILTER (WHERE outcome = 'done') + min(past.done),
            count(*) FILTER (WHERE outcome = 'partly') + min(past.partly),
            count(*) FILTER (WHERE outcome = 'not') + min(past.not_done)
        FROM past
        LEFT JOIN (session_words AS words JOIN registrations AS own ON own.id = words.registration_id)
            ON words.user_id = $1 AND own.cancelled_at IS NULL
        """

    /// Reads the statistics of a user, those of removed slots included.
    package static func read(
        of user: Identifier, from pool: PostgresPool
    ) async throws(PostgresError) -> Stats {
        let slots = try await pool.query(stats, [user], retrying: true)[0]
        let (attended, missed, cancelled, median, mean, current, longest) = try slots.decode(
            Int64.self, Int64.self, Int64.self, Int64?.self, Int64?.self, Int64.self, Int64.self)
        let company = try await pool.query(company, [user], retrying: true)[0]
        let (sent, received, partners) = try company.decode(Int64.self, Int64.self, Int64.self)
        let (done, partly, not) = try await pool.query(outcomes, [user], retrying: true)[0].decode(
            Int64.self, Int64.self, Int64.self)
        var punctuality: Punctuality?
        if let median, let mean { punctuality = Punctuality(medianSeconds: median, meanSeconds: mean) }
        return Stats(
            attended: attended, missed: missed, lateCancellations: cancelled, punctuality: punctuality,
            currentStreak: current, longestStreak: longest, alesSent: sent, alesReceived: received,
            partnersMet: partners, outcomes: Outcomes(done: done, partly: partly, not: not))
    }
}
