import Contract
import Testing

@testable import BackendTesting
@testable import Settings

@Suite("Commitment")
struct CommitmentTests {
    /// A slot that starts at 12:30, whose room opens at 12:29.
    private static let slot = "2027-03-01T12:30:00Z"
    private static let opening = RESTWorld.noon.adding(.seconds(29 * 60))

    @Test(
        "one may register until LATE_SECONDS or until the room opens, as the operator says",
        arguments: [
            (RegistrationClosing.lead, -1, 201), (.lead, 0, 409), (.lead, 60, 409),
            (.late, 0, 201), (.late, 360, 201), (.late, 361, 409),
        ])
    func registering(_ closing: RegistrationClosing, seconds: Int64, status: Int) async throws {
        let now = Self.opening.adding(.seconds(seconds))
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.registrationCloses = closing
        }
        try await RESTWorld.with(at: now, configure: configure) { world in
            let token = try await world.signUp()
            let day = try await world.send("GET", "/v1/slots?date=2027-03-01", token: token)
            let states = try day.json()["slots"]?.array?.filter { $0["startsAt"]?.string == Self.slot }
                .map { $0["state"]?.string }
            #expect(states == [status == 201 ? "empty" : "closed"])
            let answer = try await world.book(token, [Self.slot])
            #expect(answer.status == status)
            #expect(answer.problem == (status == 201 ? nil : "too-late"))
        }
    }

    @Test(
        "one may cancel until the slot ends or until the room opens, as the operator says",
        arguments: [
            (CancellingEnd.opening, -1, 204), (.opening, 0, 409), (.end, 0, 204), (.end, 1859, 204),
            (.end, 1860, 409),
        ])
    func cancelling(_ end: CancellingEnd, seconds: Int64, status: Int) async throws {
        let configure = { (configuration: inout ServerConfiguration) in configuration.cancelUntil = end }
        try await RESTWorld.with(configure: configure) { world in
            let token = try await world.signUp()
            let id = try await world.register(token, Self.slot)
            world.clock.now = Self.opening.adding(.seconds(seconds))
            #expect(try await world.delete("/v1/registrations/\(id)", token) == status)
        }
    }

    @Test("who has cancelled in time may cancel again after the opening, and an account may always go")
    func afterwards() async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.cancelUntil = .opening
        }
        try await RESTWorld.with(configure: configure) { world in
            let token = try await world.signUp()
            let id = try await world.register(token, Self.slot)
            _ = try await world.register(token, "2027-03-01T13:00:00Z")
            #expect(try await world.delete("/v1/registrations/\(id)", token) == 204)
            world.clock.now = Self.opening.adding(.seconds(30 * 60))
            #expect(try await world.delete("/v1/registrations/\(id)", token) == 204)
            #expect(try await world.delete("/v1/me", token) == 204)
        }
    }
}
