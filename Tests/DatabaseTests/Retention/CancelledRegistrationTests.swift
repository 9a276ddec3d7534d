import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("Cancelled registrations without effect")
struct CancelledRegistrationTests {
    private static let day = Duration.seconds(86_400)

    @Test("are removed 24 hours after they were cancelled, and their id is 404 from then on")
    func removed() async throws {
        try await RESTWorld.withAccount { world, token in
            let gone = try await world.register(token, "2027-03-20T09:00:00Z")
            let live = try await world.register(token, "2027-03-20T09:30:00Z")
            try await world.cancel(gone, token)
            #expect(try await world.tidy(after: .seconds(86_399)) == 0)
            #expect(try await world.send("GET", "/v1/registrations/\(gone)", token: token).status == 200)
            try await world.cancel(gone, token)
            #expect(try await world.tidy(after: Self.day) == 1)
            for method in ["GET", "PATCH"] {
                let body = method == "PATCH" ? #"{"task":"x"}"# : nil
                try await world.send(
                    method, "/v1/registrations/\(gone)", token: token, body: body, expecting: 404)
            }
            try await world.delete("/v1/registrations/\(gone)", token, expecting: 404)
            #expect(try await world.registrations(token).map(\.id) == [live])
        }
    }

    @Test("stay for 30 days if the account has a calendar, and go then")
    func calendar() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            for token in [ann, bea] {
                try await world.cancel(try await world.register(token, "2027-04-20T09:00:00Z"), token)
            }
            #expect(try await world.send("POST", "/v1/me/calendars", token: ann).status == 201)
            #expect(try await world.tidy(after: Self.day) == 1)
            #expect(try await world.registrations(ann).count == 1)
            #expect(try await world.registrations(bea).isEmpty)
            #expect(try await world.tidy(after: Self.day * 30 - .seconds(1)) == 0)
            #expect(try await world.tidy(after: Self.day * 30) == 1)
            #expect(try await world.registrations(ann).isEmpty)
        }
    }

    @Test("with notices of partners alone go after 30 days; those with a room, or alone at an opening, stay")
    func effects() async throws {
        try await RESTWorld.withAccount { world, token in
            let slot = "2027-03-01T13:00:00Z"
            let met = try await world.register(token, slot)
            let told = try await world.register(token, "2027-03-01T14:00:00Z")
            _ = try await world.open([met], at: slot)
            try await world.pool.query(
                """
                INSERT INTO notifications (user_id, type, created_at, registration_id)
                SELECT user_id, 'slot.partnered', created_at, id FROM registrations WHERE id = $1
                """, [told])
            let alone = try await world.register(token, "2027-03-01T15:00:00Z")
            try await world.pool.query(
                """
                INSERT INTO left_alone (registration_id, user_id, starts_at)
                SELECT id, user_id, starts_at FROM registrations WHERE id = $1
                """, [alone])
            try await world.pool.query("UPDATE registrations SET cancelled_at = $1", [world.clock.now])
            #expect(try await world.tidy(after: Self.day) == 0)
            #expect(try await world.registrations(token).map(\.id) == [met, told, alone])
            #expect(try await world.tidy(after: Self.day * 30) == 1)
            #expect(try await world.registrations(token).map(\.id) == [met, alone])
            let left = try await world.pool.query("SELECT registration_id FROM notifications")
            #expect(try left.allSatisfy { try $0.decode(0, Identifier.self) == met })
        }
    }

    @Test("leave the day of a routine left out, so that it is not registered again")
    func routine() async throws {
        try await RESTWorld.withAccount { world, token in
            let made = try await world.make(token, "FREQ=DAILY;COUNT=4", "15:00")
            try await world.cancel(try #require(made.next[2].registrationId), token)
            #expect(try await world.tidy(after: Self.day) == 1)
            try await world.makeDue(made.id)
            #expect(try await world.worker().step() == .planned)
            let now = try await world.routine(made.id, token)
            #expect(now.next.map(\.state.known) == [.registered, .skipped, .registered])
            #expect(now.exdates.map(\.description) == ["2027-03-03"])
            #expect(try await world.registrations(token, "cancelled").isEmpty)
            let path = "/v1/routines/\(made.id)/skips/2027-03-03"
            #expect(try await world.send("DELETE", path, token: token).status == 204)
            let back = try await world.routine(made.id, token)
            #expect(back.next.map(\.state.known) == [.registered, .registered, .registered])
        }
    }

    @Test("stay while an opening is near, and go after it")
    func opening() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            try await world.cancel(try await world.register(ann, "2027-03-20T09:00:00Z"), ann)
            _ = try await world.register(bea, "2027-03-02T12:30:00Z")
            #expect(try await world.tidy(after: Self.day + .seconds(1600)) == 0)
            #expect(try await world.tidy(after: Self.day + .seconds(2400)) == 1)
        }
    }

    @Test("are tried again after an opening, rather than an hour later")
    func tryAgain() async throws {
        try await RESTWorld.withTwoAccounts { world, ann, bea in
            try await world.cancel(try await world.register(ann, "2027-03-20T09:00:00Z"), ann)
            _ = try await world.register(bea, "2027-03-02T12:30:00Z")
            world.clock.now = RESTWorld.noon.adding(Self.day + .seconds(1600))
            let cancelled = CancelledRegistrations(
                pool: world.pool, quiet: Quiet(world.application.configuration), now: world.application.now)
            #expect(try await cancelled.removeExpired().pause <= .seconds(300))
            #expect(try await world.count("registrations") == 2)
            world.clock.now = RESTWorld.noon.adding(Self.day + .seconds(2400))
            #expect(try await cancelled.removeExpired().pause == .seconds(3600))
            #expect(try await world.count("registrations") == 1)
        }
    }

    @Test("go in the first pass of a server also if none has run for months")
    func longAgo() async throws {
        try await RESTWorld.withAccount { world, token in
            try await world.cancel(try await world.register(token, "2027-03-20T09:00:00Z"), token)
            #expect(try await world.tidy(after: Self.day * 90, everything: false) == 0)
            #expect(try await world.tidy(after: Self.day * 90) == 1)
        }
    }

    @Test("go in parts of a thousand")
    func parts() async throws {
        try await RESTWorld.withPerson { world, ann in
            try await world.cancel(try await world.register(ann.token, "2027-03-20T09:00:00Z"), ann.token)
            try await world.pool.query(
                """
                INSERT INTO registrations (
                    id, user_id, starts_at, task, created_at, updated_at, cancelled_at)
                SELECT gen_random_uuid(), user_id, starts_at, task, created_at, updated_at, cancelled_at
                FROM registrations, generate_series(1, 2000)
                """)
            #expect(try await world.tidy(after: Self.day) == 2001)
            #expect(try await world.count("registrations") == 0)
        }
    }
}

extension RESTWorld {
    /// Removes what is due so long after noon, as a server does each hour. Returns the number.
    fileprivate func tidy(after time: Duration, everything: Bool = true) async throws -> Int {
        clock.now = Self.noon.adding(time)
        let quiet = Quiet(application.configuration)
        return try await CancelledRegistrations(pool: pool, quiet: quiet, now: application.now)
            .tidy(everything: everything).count
    }
}
