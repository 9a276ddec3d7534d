package import Contract
package import Postgres

/// Resolves local times to instants, by the rules of RFC 5545 §3.3.5.
package enum LocalTimes {
    /// The offsets of the day before and of the day after give two candidates; what `AT TIME ZONE` chooses is
    /// a third, for zones that changed twice in between. A candidate is right where the zone turns it back
    /// into what the clock shows. None is: a gap, which is read with the offset before it. Two are: an
    /// overlap, of which the first counts.
    private static let resolve = """
        SELECT coalesce(meant.first, candidate.before),
            CASE WHEN meant.first IS NULL THEN 'gap' WHEN meant.first < meant.last THEN 'overlap' END
        FROM unnest($1::text[]) WITH ORDINALITY AS wall (clock, position)
        CROSS JOIN LATERAL (
            SELECT clock::timestamp AS local, clock::timestamp AT TIME ZONE 'UTC' AS utc
        ) AS time
        CROSS JOIN LATERAL (
            SELECT
                utc - ((utc - interval '24 hours') AT TIME ZONE $2::text
                    - (utc - interval '24 hours') AT TIME ZONE 'UTC') AS before,
                utc - ((utc + interval '24 hours') AT TIME ZONE $2::text
                    - (utc + interval '24 hours') AT TIME ZONE 'UTC') AS after,
                local AT TIME ZONE $2::text AS usual
        ) AS candidate
        CROSS JOIN LATERAL (
            SELECT min(instant) AS first, max(instant) AS last
            FROM (VALUES (candidate.before), (candidate.after), (candidate.usual)) AS choice (instant)
            WHERE instant AT TIME ZONE $2::text = time.local
        ) AS meant
        ORDER BY wall.position
        """

    /// Returns the instants in the order of the times.
    package static func resolve(
        _ times: [LocalDateTime], in zone: KnownZone, by source: some RowSource
    ) async throws(PostgresError) -> [(instant: Timestamp, adjusted: Registration.Adjustment?)] {
        let rows = try await source.rows(resolve, [times.map(\.description), zone.name])
        return try rows.map { row throws(PostgresError) in
            let (instant, adjusted) = try row.decode(Timestamp.self, String?.self)
            return (instant, adjusted.flatMap { Registration.Adjustment(rawValue: $0) })
        }
    }
}
