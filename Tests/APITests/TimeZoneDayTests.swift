import Contract
import Database
import Postgres
import Testing

@testable import API
@testable import BackendTesting

/// Tests of days with gaps and overlaps against a search through all instants around them: RFC 5545 §3.3.5 by
/// its words, and PostgreSQL's rules only in the direction that has one answer, from an instant to local
/// time.
@Suite struct TimeZoneDayTests {
    /// The quarters of an hour from two days before to three days after.
    private static let instants = """
        SELECT instant, instant AT TIME ZONE $2::text AS wall,
            lead(instant AT TIME ZONE $2::text) OVER (ORDER BY instant) AS next
        FROM generate_series(
            ($1::date - 2)::timestamp AT TIME ZONE 'UTC', ($1::date + 3)::timestamp AT TIME ZONE 'UTC',
            interval '15 minutes') AS instant
        """

    /// For a local time that is shown, the first instant; for one that is not, its reading with the offset
    /// before the gap.
    private static let search = """
        WITH instants AS (\(instants)), times AS (
            SELECT time FROM generate_series(
                $1::date::timestamp, $1::date + interval '23:45', interval '15 minutes') AS time
        )
        SELECT to_char(time, 'YYYY-MM-DD"T"HH24:MI'),
            coalesce(
                min(instant) FILTER (WHERE wall = time),
                max(time AT TIME ZONE 'UTC' - (wall - instant AT TIME ZONE 'UTC'))
                    FILTER (WHERE wall < time AND next > time)),
            CASE count(*) FILTER (WHERE wall = time) WHEN 0 THEN 'gap' WHEN 1 THEN NULL ELSE 'overlap' END
        FROM times CROSS JOIN instants
        GROUP BY time ORDER BY time
        """

    private static let slots = """
        SELECT instant, to_char(wall, 'YYYY-MM-DD"T"HH24:MI') FROM (\(instants)) AS instants
        WHERE wall::date = $1::date AND extract(minute FROM instant AT TIME ZONE 'UTC') IN (0, 30)
        ORDER BY instant
        """

    @Test("each quarter of an hour of a day is resolved as RFC 5545 says, and the adjusted ones are marked")
    func localTimes() async throws {
        try await RESTWorld.with { world in
            for day in TimeZoneDay.table {
                let expected = try await world.pool.query(Self.search, [day.date, day.zone]).map {
                    try $0.decode(String.self, Timestamp.self, String?.self)
                }
                let times = try expected.map { try #require(LocalDateTime($0.0)) }
                let zone = try #require(world.application.timeZones.find(day.zone))
                let resolved = try await LocalTimes.resolve(times, in: zone, by: world.pool)
                #expect(resolved.map(\.instant) == expected.map(\.1), "\(day)")
                #expect(resolved.map { $0.adjusted?.rawValue } == expected.map(\.2), "\(day)")
                let halves = resolved.indices.filter { times[$0].minute.isMultiple(of: 30) }
                #expect(halves.count { resolved[$0].adjusted == .gap } == day.gaps, "\(day)")
                #expect(halves.count { resolved[$0].adjusted == .overlap } == day.overlaps, "\(day)")
            }
        }
    }

    @Test("each day lists the slots that begin on it, with what the clock on the wall shows")
    func slotsOfDay() async throws {
        try await RESTWorld.withAccount { world, token in
            for day in TimeZoneDay.table {
                let expected = try await world.pool.query(Self.slots, [day.date, day.zone]).map {
                    try $0.decode(Timestamp.self, String.self)
                }
                let response = try await world.send(
                    "GET", "/v1/slots?date=\(day.date)&timeZone=\(day.zone)", token: token)
                let slots = try #require(try response.json()["slots"]?.array, "\(day): \(response.text)")
                #expect(slots.count == day.slots, "\(day)")
                #expect(
                    slots.map { $0["startsAt"]?.string } == expected.map(\.0.description), "\(day)")
                #expect(slots.map { $0["localTime"]?.string } == expected.map(\.1), "\(day)")
            }
        }
    }

    @Test(
        "what is registered by local time is told as it was meant, on days of 44 to 52 slots",
        arguments: [
            ("Antarctica/Troll", "2027-03-28T02:30", "2027-03-28T02:30:00Z", "gap"),
            ("Antarctica/Troll", "2027-10-31T01:30", "2027-10-30T23:30:00Z", "overlap"),
            ("Pacific/Chatham", "2027-04-04T03:15", "2027-04-03T13:30:00Z", "overlap"),
            ("Pacific/Chatham", "2027-09-26T03:15", "2027-09-25T14:30:00Z", "gap"),
            ("Australia/Lord_Howe", "2027-04-04T01:30", "2027-04-03T14:30:00Z", "overlap"),
            ("Australia/Lord_Howe", "2027-10-03T02:00", "2027-10-02T15:30:00Z", "gap"),
        ])
    func registered(_ zone: String, _ local: String, _ instant: String, _ adjusted: String) async throws {
        let startsAt = try #require(Timestamp(instant))
        try await RESTWorld.with(at: startsAt.adding(.seconds(-7 * 86_400))) { world in
            let token = try await world.signUp(timeZone: zone)
            let response = try await world.send(
                "POST", "/v1/registrations", token: token, body: #"{"task":"W","localSlots":["\#(local)"]}"#)
            #expect(response.status == 201, "\(response.text)")
            let made = try response.json()["registrations"]?.array?.first
            #expect(made?["slot"]?["startsAt"]?.string == instant)
            #expect(made?["adjusted"]?.string == adjusted)
        }
    }
}
