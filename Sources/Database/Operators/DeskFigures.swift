package import Contract
package import Postgres

/// The figures of the first screen that the database knows, some of them as members of an object in JSON.
package struct DeskFigures: Sendable {
    package var members: [JSONValue.Member]
    package var waiting: Int64
    package var oldestSeconds: Double
    package var disabled: Int64
    package var newReports: Int64
    package var worstLateness: Double
    /// The failures among the deliveries of the last hour, and all of them.
    package var failed: Int64
    package var settled: Int64

    private static let select = """
        WITH present AS (
            SELECT count(*) AS people, count(DISTINCT room_id) AS rooms FROM slots
            JOIN rooms ON rooms.starts_at = slots.starts_at
            JOIN members ON members.room_id = rooms.id
            WHERE slots.closed_at IS NULL AND slots.opened_at IS NOT NULL AND members.present_on IS NOT NULL
        ), open_rooms AS (
            SELECT count(*) AS rooms FROM slots JOIN rooms ON rooms.starts_at = slots.starts_at
            WHERE slots.closed_at IS NULL AND slots.opened_at IS NOT NULL AND rooms.closed_early_at IS NULL
        ), listed AS (
            SELECT slot.starts_at, \(DeskRows.start("slot.starts_at")) AS start,
                \(DeskRows.minutes("slot.starts_at")) AS minutes,
                \(DeskRows.key("slot.starts_at")) AS key,
                CASE WHEN slot.closed_at IS NOT NULL THEN 'closed' WHEN slot.opened_at IS NOT NULL THEN 'open'
                    ELSE 'waiting' END AS state,
                CASE WHEN slot.opened_at IS NOT NULL THEN greatest(0, extract(epoch FROM slot.opened_at
                    - (date_trunc('second',
                        slot.starts_at) - make_interval(secs => $1))))::float8 END AS lateness,
                \(DeskSlots.people) AS people,
                (SELECT count(*) FROM rooms WHERE rooms.starts_at = slot.starts_at) AS rooms
            FROM slots AS slot
            WHERE slot.starts_at <= $2::timestamptz + make_interval(secs => $1)
            ORDER BY slot.starts_at DESC LIMIT 24
        ), due AS (
            SELECT count(*) AS waiting,
                min(due_at) FILTER (WHERE priority < \(BulkReplay.priority)) AS oldest
            FROM (
                SELECT priority, due_at FROM deliveries WHERE settled_at IS NULL
                ORDER BY priority, due_at, id LIMIT 100000) AS first
        ), outcomes AS (
            SELECT outcome, count(*) AS number FROM attempts
            WHERE at > $2::timestamptz - interval '1 hour' GROUP BY outcome
        ), reported AS (
            SELECT count(*) FILTER (WHERE state = 'new') AS new,
                count(*) FILTER (WHERE state = 'taken') AS taken
            FROM reports JOIN accounts ON accounts.id = by_id WHERE state IN ('new', 'taken')
        ), off AS (SELECT count(*) AS number FROM endpoints
            JOIN accounts ON accounts.id = user_id WHERE disabled_at IS NOT NULL)
        SELECT json_build_object(
                'people', present.people, 'rooms', present.rooms, 'openRooms', open_rooms.rooms,
                'slots', coalesce((SELECT json_agg(json_build_object(
                    'key', key, 'startsAt', start, 'minutes', minutes, 'people', people, 'rooms', rooms,
                        'state', state,
                    'latenessSeconds', lateness) ORDER BY starts_at) FROM listed), '[]'),
                'reports', json_build_object('new', reported.new, 'taken', reported.taken),
                'outcomes', coalesce((SELECT json_object_agg(outcome, number) FROM outcomes), '{}'))::text,
            due.waiting, greatest(0, coalesce(extract(epoch FROM $2::timestamptz - due.oldest), 0))::float8,
            off.number, reported.new, coalesce((SELECT max(lateness) FROM listed), 0)::float8,
            coalesce((SELECT sum(number) FROM outcomes WHERE outcome IN ('exhausted', 'refused')), 0)::int8,
            coalesce((SELECT sum(number) FROM outcomes WHERE outcome <> 'retried'), 0)::int8
        FROM present CROSS JOIN open_rooms CROSS JOIN due CROSS JOIN off CROSS JOIN reported
        """

    /// Reads the figures; `lead` is the time from the opening of a slot to its start, in seconds.
    package static func read(
        lead: Int, at now: Timestamp, in pool: PostgresPool
    ) async throws(PostgresError) -> DeskFigures? {
        guard let row = try await pool.query(select, [Double(lead), now], retrying: true).first else {
            return nil
        }
        let (object, waiting, oldest, disabled, new, worst, failed, settled) = try row.decode(
            String.self, Int64.self, Double.self, Int64.self, Int64.self, Double.self, Int64.self, Int64.self)
        guard case .object(let members)? = try? JSONValue.parse(Array(object.utf8)) else {
            throw .decoding("no object")
        }
        return DeskFigures(
            members: members, waiting: waiting, oldestSeconds: oldest,
            disabled: disabled, newReports: new, worstLateness: worst, failed: failed, settled: settled)
    }
}
