import Contract
import Postgres

/// The conversion of local times to instants, by the rules of RFC 5545 §3.3.5.
enum LocalTimes {
    /// Converts local times to instants. The offsets of the day before and of the day after give two
    /// candidates; the choice of `AT TIME ZONE` is a third, for zones that changed twice in between. A
    /// candidate is right if the zone converts it back to the local time. If none is right, the time is in a
    /// gap, and is read with the offset before it; if two are, it is in an overlap, and the first counts.
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

    /// Returns the instants in the order of the times. The zone must exist.
    package static func resolve(
        _ times: [LocalDateTime], in zone: String, by database: PostgresPool
    ) async throws(PostgresError) -> [(instant: Timestamp, adjusted: Registration.Adjustment?)] {
        let rows = try await database.query(
            resolve, [times.map(\.description), zone], retrying: true)
        var resolved: [(instant: Timestamp, adjusted: Registration.Adjustment?)] = []
        for row in rows {
            let (instant, adjusted) = try row.decode(Timestamp.self, String?.self)
            resolved.append((instant, adjusted.flatMap { Registration.Adjustment(rawValue: $0) }))
        }
        return resolved
    }
}
