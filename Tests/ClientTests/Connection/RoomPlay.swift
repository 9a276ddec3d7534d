import Client
import ClientTesting
import Contract
import Testing

/// A connection to a server that follows a script, with a clock that a test moves.
struct RoomPlay {
    let server: ScriptedServer
    let connection: RoomConnection
    let clock = ManualClock()

    init(
        configuration change: (inout ConnectionConfiguration) -> Void = { _ in },
        _ script: @escaping @Sendable (ScriptedRoom.ServerPart) -> Void
    ) async throws {
        server = try await ScriptedServer { router, loop in
            ScriptedRoom.add(to: &router, on: loop, script)
        }
        var configuration = ConnectionConfiguration()
        configuration.clock = clock
        change(&configuration)
        let api = try APIClient(server: Server(server.url), token: "t")
        connection = try api.connection(in: Sample.room, configuration: configuration)
    }

    /// Returns all events up to the end; advances the clock over every pause between two attempts.
    func events() async -> [String] {
        let events = connection.events
        await connection.start()
        var words: [String] = []
        for await event in events {
            if case .interrupted(_, let wait) = event { clock.advance(by: wait) }
            words.append(Self.word(event))
        }
        return words
    }

    /// Returns an event as a word for comparisons.
    static func word(_ event: RoomEvent) -> String {
        switch event {
        case .connected(let handshake, let resumed):
            "connected \(handshake.room == Sample.room ? "room" : "other") \(resumed)"
        case .ale(let ale): "ale \(ale.seq)"
        case .acknowledged(_, let seq): "ack \(seq)"
        case .refused(let code, _, _): "refused \(code)"
        case .givenUp(let messageId): "givenUp \(messageId)"
        case .presence(_, let present): "presence \(present)"
        case .checkIn(_, let checkIn): "checkIn \(checkIn ?? "back")"
        case .outcome(_, let outcome, let note): "outcome \(outcome?.rawValue ?? "back") \(note ?? "")"
        case .status(_, let status): "status \(status?.rawValue ?? "back")"
        case .members(let members): "members \(members.count)"
        case .moved: "moved"
        case .announcement(let text, _): "announcement \(text)"
        case .interrupted: "interrupted"
        case .missed(let count): "missed \(count)"
        case .closed(let reason): "closed \(word(reason))"
        }
    }

    static func word(_ reason: CloseReason) -> String {
        switch reason {
        case .roomClosed: "room"
        case .left: "left"
        case .ended(let code, _): "\(code)"
        case .refused(let error): "refused \(error.kind)"
        }
    }

    static func word(_ state: ConnectionState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting: "connecting"
        case .connected: "connected"
        case .waiting: "waiting"
        case .closed(let reason): "closed \(word(reason))"
        }
    }
}
