import Contract
import Database
import Testing

@testable import Console

@Suite("The tokens of operators")
struct DeskTokenTests {
    @Test("end with the token that made them at the latest")
    func tokenOfToken() async throws {
        try await DeskWorld.with { desk in
            // It ends in an hour.
            let hour = try await desk.token(.admin)
            let body = #"{"label":"a","role":"viewer","days":366}"#
            let made = try await desk.send("POST", "/tokens", token: hour, body: body)
            let end = desk.world.clock.now.adding(.seconds(3600))
            #expect(try made.json()["expiresAt"]?.string == "\(end)")
            let token = try #require(try made.json()["token"]?.string)
            #expect(try await desk.send("GET", "/session", token: token).status == 200)
            desk.world.clock.now = end
            #expect(try await desk.send("GET", "/session", token: token).status == 401)
        }
    }
}
