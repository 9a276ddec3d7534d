import API
import Contract
import Postgres
import Scheduling
import Testing

@testable import Database

/// A user with a token.
///
/// It is no structure: Swift 6.3 miscompiles asynchronous functions that take several values of 16 bytes.
final class SocialPerson: Sendable {
    let token: String
    let id: Identifier

    init(token: String, id: Identifier) {
        self.token = token
        self.id = id
    }
}

/// The registrations of two people who met.
struct Encounter: Sendable {
    let own: Identifier
    let theirs: Identifier
}

/// Stores histories of slots, as the scheduler and the rooms would.
extension RESTWorld {
    /// Lends a world to the body, and two people in it: Ann and Bea.
    static func withTwoPeople(
        _ body: @Sendable (RESTWorld, _ ann: SocialPerson, _ bea: SocialPerson) async throws -> Void
    ) async throws {
        try await with { world in
            try await body(world, try await world.person("Ann"), try await world.person("Bea"))
        }
    }

    /// Lends a world to the body, and one person in it: Ann.
    static func withPerson(
        _ body: @Sendable (RESTWorld, _ ann: SocialPerson) async throws -> Void
    ) async throws {
        try await with { try await body($0, try await $0.person("Ann")) }
    }

    /// Lends a world to the body, and three people in it: Ann, Bea and Cid.
    static func withThreePeople(
        _ body:
            @Sendable (
                RESTWorld, _ ann: SocialPerson, _ bea: SocialPerson, _ cid: SocialPerson
            ) async throws -> Void
    ) async throws {
        try await withTwoPeople { try await body($0, $1, $2, try await $0.person("Cid")) }
    }

    func person(_ name: String) async throws -> SocialPerson {
        let token = try await signUp(name)
        let user = try await SignedInUser.find(try #require(APIToken(token)), in: pool)
        return SocialPerson(token: token, id: try #require(user).id)
    }

    /// Returns the start of the half-hour slot with that number, from 2027-02-01T00:00:00Z on: before `noon`.
    static func past(_ number: Int) -> Timestamp { Timestamp(seconds: 1_801_440_000 + Int64(number) * 1800) }

    /// Makes a registration an hour before its slot, or at `madeAt`, whatever the clock says.
    func registered(
        _ person: SocialPerson, _ startsAt: Timestamp, tag: String? = nil, madeAt: Timestamp? = nil
    ) async throws -> Identifier {
        var random = SystemRandomNumberGenerator()
        let id = Identifier.v7(at: startsAt, using: &random)
        try await pool.query(
            "INSERT INTO slots (starts_at, ends_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [startsAt, application.rules.endsAt(startsAt)])
        try await pool.query(
            """
            INSERT INTO registrations (id, user_id, starts_at, task, tag, created_at, updated_at)
            VALUES ($1, $2, $3, 'Write', $4, $5, $5)
            """, [id, person.id, startsAt, tag, madeAt ?? startsAt.adding(.seconds(-3600))])
        return id
    }

    /// Makes a room that opened a minute before its slot. `entered` has the seconds from the opening to each
    /// member's entry; nil for a member who did not come.
    @discardableResult
    func met(
        _ startsAt: Timestamp, _ registrations: [Identifier], entered: [Int?]? = nil, isOver: Bool = true
    ) async throws -> Identifier {
        var random = SystemRandomNumberGenerator()
        let room = Identifier.v4(using: &random)
        let opening = startsAt.adding(.seconds(-60))
        try await pool.query(
            "INSERT INTO rooms (id, starts_at, opened_at) VALUES ($1, $2, $3)", [room, startsAt, opening])
        let seconds = entered ?? registrations.map { _ in 10 }
        let entries = seconds.map { $0.map { opening.adding(.seconds($0)) } }
        try await pool.query(
            """
            INSERT INTO members (room_id, registration_id, entered_at)
            SELECT $1, id, entered_at FROM unnest($2::uuid[], $3::timestamptz[]) AS seat (id, entered_at)
            """, [room, registrations, entries])
        try await pool.query(
            """
            UPDATE slots SET opened_at = coalesce(opened_at, $2), served_at = starts_at,
                closed_at = CASE WHEN $3 THEN ends_at END
            WHERE starts_at = $1
            """, [startsAt, opening, isOver])
        return room
    }

    /// Gives a person one slot for each outcome, from the slot with the number `first` on.
    func went(_ person: SocialPerson, _ outcomes: [String], from first: Int = 0) async throws {
        for (number, outcome) in outcomes.enumerated() {
            let startsAt = Self.past(first + number)
            let id = try await registered(person, startsAt)
            if outcome == "early" {
                try await cancel(id, at: startsAt.adding(.seconds(-600)))
                continue
            }
            if outcome == "lapsed" {
                try await pool.query(
                    "UPDATE slots SET opened_at = starts_at, closed_at = ends_at WHERE starts_at = $1",
                    [startsAt])
                continue
            }
            try await met(startsAt, [id], entered: [outcome == "attended" ? 10 : nil])
            if outcome == "late" { try await cancel(id, at: startsAt.adding(.seconds(-30))) }
            // The cancelling was asked for before the opening, and is committed after the match that it
            // waited for.
            if outcome == "asked" { try await cancel(id, at: startsAt.adding(.milliseconds(-60_100))) }
            if outcome == "down" { try await down(startsAt.adding(.seconds(60)), for: 30) }
        }
    }

    func cancel(_ registration: Identifier, at time: Timestamp) async throws {
        try await pool.query(
            "UPDATE registrations SET cancelled_at = $2, updated_at = $2 WHERE id = $1", [registration, time])
        try await pool.query(
            "UPDATE members SET left_revision = joined_revision + 1 WHERE registration_id = $1",
            [registration])
    }

    /// Stores an outage of the service.
    func down(_ time: Timestamp, for seconds: Int) async throws {
        try await pool.query(
            "INSERT INTO outages (began_at, ended_at) VALUES ($1, $2)",
            [time, time.adding(.seconds(seconds))])
    }

    func stats(_ token: String) async throws -> Stats {
        let response = try await send("GET", "/v1/stats", token: token)
        #expect(response.status == 200)
        return try JSON.decode(Stats.self, from: response.body)
    }

    /// Makes two people meet in a past slot.
    func meet(
        _ one: SocialPerson, _ other: SocialPerson, at number: Int
    ) async throws -> Encounter {
        let slot = Self.past(number)
        let ids = [try await registered(one, slot), try await registered(other, slot)]
        try await met(slot, ids)
        return Encounter(own: ids[0], theirs: ids[1])
    }

    /// Puts the person of that registration on a list.
    @discardableResult
    func mark(_ list: String, _ person: SocialPerson, _ registration: Identifier) async throws
        -> RawHTTP.Response
    {
        try await send(
            "POST", "/v1/\(list)", token: person.token, body: #"{"registrationId":"\#(registration)"}"#)
    }
}
