import ClientTesting
import Contract
import HTTP1
import HTTPServer
import Reactor
import Testing
import WebSocket

@testable import letsswitch

@Suite("A watch that joins", .timeLimit(.minutes(5)))
struct WatchTests {
    @Test("enters each room as it opens, and goes on after it, after a lost stream, and a question in vain")
    func allDay() async throws {
        let streams = Lock(0)
        let server = try await ScriptedServer { router, loop in
            // The stream asks which rooms are open after each connection, and gets no answer.
            router.immediate(.get, Routes.rooms) { _ in .problem(.unavailable, "Later.") }
            router.immediate(.get, "/v1/rooms/{id}") { _ in .json(Sample.openRoom(at: WallClock.now)) }
            router.immediate(.get, Routes.events) { _ in
                let number = streams.withLock { count in
                    count += 1
                    return Int64(count)
                }
                return .events { stream in
                    try? await stream.write(Self.opened(number))
                    if number == 2 { try? await Task.sleep(for: .seconds(600)) }
                }
            }
            ScriptedRoom.add(to: &router, on: loop) { part in
                part.send(Sample.handshake())
                part.connection.close(.normal)
            }
        }
        let process = try CommandProcess.signedIn()
        let outcome = try await process.run(["watch", "--join"], server: server.url, until: Self.second)
        #expect(outcome.status == 130)
        #expect(outcome.output.contains("#1 ") && outcome.output.contains("#2 "))
        #expect(outcome.errors.contains("Later."))
    }

    /// The second room, which has closed.
    private static let second =
        "UTC  The room for 00:00 is open, with no partner yet. Room 00000000-0000-0000-0000-000000000002"

    private static func opened(_ number: Int64) -> [UInt8] {
        let id = Identifier(value: UInt128(number))
        let data = """
            {"id":\(number),"type":"room.opened","createdAt":"2027-01-01T00:00:00Z",\
            "data":{"registrationId":"\(id)","roomId":"\(id)",\
            "startsAt":"2027-01-01T00:00:00Z","closesAt":"2027-01-01T00:30:00Z",\
            "socketUrl":"ws://x/","partners":[]}}
            """
        return Array("id: \(number)\nevent: room.opened\ndata: \(data)\n\n".utf8)
    }
}
