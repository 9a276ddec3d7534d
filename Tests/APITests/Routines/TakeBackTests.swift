import Contract
import Postgres
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("Registrations of a request that is taken back")
struct TakeBackTests {
    @Test("are cancelled again if the request revived them, and else deleted and not counted")
    func revived() async throws {
        try await RESTWorld.with { world in
            let (ann, now) = (try await world.person("Ann"), world.clock.now)
            let old = try await world.register(ann.token, "2027-03-20T09:00:00Z")
            let new = try await world.register(ann.token, "2027-03-20T09:30:00Z")
            try await world.cancel(old, ann.token)
            let key = try #require(Timestamp("2027-03-20T09:00:00Z"))
            var request = RegistrationRequest(
                user: ann.id, task: "Read", createdAt: now,
                slots: [RequestedSlot(id: old, key: key, adjusted: nil, world.application.rules, at: now)])
            request.revives = true
            try await world.pool.query(
                "INSERT INTO registrations_made (user_id, day, made) VALUES ($1, $2::date, 2)",
                [ann.id, LocalDate(utc: now)])
            try await world.pool.transaction { [request] connection in
                let insertion = RegistrationInsertion(day: LocalDate(utc: now))
                let revived = try await insertion.revive([request], on: connection)
                #expect(revived == [old])
                try await insertion.takeBack([old, new], revived: Set(revived), on: connection)
            }
            #expect(try await world.registrations(ann.token, "cancelled").map(\.id) == [old])
            #expect(try await world.registrations(ann.token).map(\.id) == [old])
            let made = try await world.pool.query("SELECT made FROM registrations_made")
            #expect(try made.map { try $0.decode(0, Int64.self) } == [1])
        }
    }
}
