import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@testable import letsswitch

@Suite("The search for a room", .timeLimit(.minutes(15)))
struct RoomFinderTests {
    /// Starts a server without registrations, whose answer to the `number`th request for rooms has a room.
    private func serve(
        roomIn number: Int, opensIn wait: Duration = .seconds(-120)
    ) async throws -> ScriptedServer {
        let asked = Lock(0)
        return try await ScriptedServer { router, _ in
            let room = Sample.openRoom(at: WallClock.now.adding(wait).adding(.seconds(120)))
            router.immediate(.get, Routes.rooms) { _ in
                let isThere = asked.withLock { count in
                    count += 1
                    return count >= number
                }
                return .json(RoomList(rooms: isThere ? [room] : []))
            }
            router.immediate(.get, Routes.registrations) { _ in .json(RegistrationList(registrations: [])) }
            router.immediate(.get, Routes.live) { _ in HTTPResponse(status: 200, body: []) }
            router.immediate(.get, Routes.events) { _ in .events(openAfter: ": welcome\nid: 0\n\n") }
        }
    }

    @Test(
        "finds one that opens between the question for rooms and the one for registrations",
        arguments: [1, 2])
    func race(number: Int) async throws {
        let server = try await serve(roomIn: number)
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await RoomFinder(api: api).nextRoom(nil) { _ in }.id == Sample.room)
    }

    @Test("finds one that has just opened, also where the clock here is a little behind")
    func clock() async throws {
        let server = try await serve(roomIn: 1, opensIn: .seconds(3))
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await RoomFinder(api: api).nextRoom(nil) { _ in }.id == Sample.room)
        #expect(try await api.waitForRoom().id == Sample.room)
    }

    @Test("says so where there is none")
    func none() async throws {
        let server = try await serve(roomIn: .max)
        let api = try APIClient(server: Server(server.url), token: "t")
        await #expect(throws: Failure.self) { try await RoomFinder(api: api).nextRoom(nil) { _ in } }
    }
}
