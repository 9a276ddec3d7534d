import Client
import ClientTesting
import Contract
import Glibc
import HTTP1
import HTTPServer
import Reactor
import Testing
import WebSocket

@testable import letsswitch

/// A room whose server a test scripts, and a user who joins it at a terminal.
struct JoinStage {
    let server: ScriptedServer
    let process = CommandProcess()

    /// Starts the stage. Each ale of the user is answered with one of the partner's. `perform` is called
    /// first for each connection and message, and returns whether it has handled it completely.
    init(
        startsIn: Duration = .seconds(-60), members: [Member] = Sample.members,
        _ perform: @escaping @Sendable (ScriptedRoom.ServerPart) -> Bool = { _ in false }
    ) async throws {
        let numbers = Lock<Int64>(0)
        server = try await ScriptedServer { router, loop in
            let now = WallClock.now
            let room = Sample.openRoom(at: now)
            let startsAt = now.adding(startsIn)
            router.immediate(.get, Routes.rooms) { _ in .json(RoomList(rooms: [room])) }
            router.immediate(.get, "/v1/rooms/{id}") { _ in .json(room) }
            router.immediate(.get, Routes.events) { _ in .events(openAfter: ":\n\n") }
            ScriptedRoom.add(to: &router, on: loop) { part in
                if perform(part) { return }
                guard let messageId = part.message?["messageId"]?.string else {
                    return part.send(
                        .handshake(
                            .init(
                                room: Sample.room, you: Sample.me, epoch: "e1", seq: 0, recovered: false,
                                now: WallClock.now, startsAt: startsAt,
                                closesAt: startsAt.adding(.seconds(1800)), pingSeconds: 20,
                                members: members)))
                }
                let number = numbers.withLock { number in
                    number += 2
                    return number
                }
                part.send(.ack(messageId: messageId, seq: number - 1))
                part.send(.aleResponse(.init(from: Sample.partner, seq: number, at: WallClock.now)))
            }
        }
        try process.signIn()
    }

    /// Returns the environment of the command.
    func environment(_ more: [String] = ["LANG=C.UTF-8"]) -> [String] {
        ["LETSSWITCH_URL=\(server.url)", "XDG_CONFIG_HOME=\(process.home)", "TZ=UTC", "TERM=xterm"] + more
    }

    func join(
        columns: Int = 80, rows: Int = 24, environment more: [String] = ["LANG=C.UTF-8"]
    ) async throws -> TerminalSession {
        try await TerminalSession(
            Child.command(), ["join"], environment(more), columns: columns, rows: rows)
    }

    /// Returns a terminal at which the user has joined, and is connected.
    func joined() async throws -> TerminalSession {
        let session = try await join()
        await session.wait(for: "Connected")
        return session
    }
}
