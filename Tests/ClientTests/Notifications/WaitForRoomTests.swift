import Client
import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing

@Suite("The wait for a room")
struct WaitForRoomTests {
    private func serve(isOpen: Bool, opens: Bool) async throws -> ScriptedServer {
        try await ScriptedServer { router, _ in
            let room = Sample.openRoom(at: Timestamp(microseconds: WallClock.microseconds()))
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: isOpen ? [room] : [])) }
            router.immediate(.get, "/v1/rooms/{id}") { _ in .json(room) }
            router.immediate(.get, Routes.events) { _ in
                .events { stream in
                    try? await stream.write(Array(":\n\n".utf8))
                    if opens { try? await stream.write(Self.opening) }
                    try? await Task.sleep(for: .seconds(600))
                }
            }
        }
    }

    private static var opening: [UInt8] {
        let details = NotificationData.RoomDetails(
            registrationId: Sample.me, roomId: Sample.room, startsAt: Sample.start, closesAt: Sample.start,
            socketUrl: "", partners: [])
        let notification = UserNotification(id: 1, createdAt: Sample.start, data: .roomOpened(details))
        return Array("id: 1\ndata: ".utf8) + ((try? JSON.encode(notification)) ?? []) + Array("\n\n".utf8)
    }

    @Test("ends at once where one is open, else when one opens", arguments: [(true, false), (false, true)])
    func opens(isOpen: Bool, opens: Bool) async throws {
        let server = try await serve(isOpen: isOpen, opens: opens)
        let api = try APIClient(server: Server(server.url), token: "t")
        #expect(try await api.waitForRoom().id == Sample.room)
    }

    @Test("ends in time where none opens")
    func patience() async throws {
        let server = try await serve(isOpen: false, opens: false)
        let api = try APIClient(server: Server(server.url), token: "t")
        await #expect(throws: ClientError.timedOut) { try await api.waitForRoom(timeout: .milliseconds(50)) }
    }
}
