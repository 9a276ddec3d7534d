import API
import Contract
import Database
import HTTP1
import HTTPServer
import Postgres
import Scheduling

extension Desk {
    private static let room = "/rooms/{id}"

    var roomRoutes: [DeskRoute] {
        [
            get(
                "/rooms", .viewer, "Rooms of a slot, or of all that are open.",
                query: ["slot", "cursor", "limit"]
            ) { call in
                let key = try call.parameter("slot", "the key of a slot") { DeskCall.slotKey($0) }
                let cursor = try call.cursor()
                guard let key else {
                    return try await page(call, "rooms", DeskSlots.openRooms, [cursor?.time, cursor?.id])
                }
                return try await page(call, "rooms", DeskSlots.roomsOfSlot, [key, cursor?.id])
            },
            get(Self.room, .viewer, "One room, and what happened in it.") { call in
                try await answer(room: try call.id())
            },
            route(
                .post, Self.room + "/reveal", .support, "Shows what the members of a room say they do.",
                reveal),
            route(
                .post, Self.room + "/close", .admin, "Closes a room before the end of its slot, for good.",
                close),
            route(
                .post, Self.room + "/move", .admin, "Lets the server of a room hand it to another one.",
                status: 202, body: [.init(name: "server", kind: .string)], move),
        ]
    }

    private func answer(room: Identifier) async throws -> HTTPResponse {
        try await one(DeskSlots.room, [room])
    }

    private func reveal(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.id()
        let text = try await acting(call, "room.reveal", "room:\(id)") { connection, _, _ in
            try await DeskSlots.reveal(id, on: connection).orThrow(DeskCall.notFound)
        }
        return DeskCall.json(stored: text)
    }

    /// Asks the server that has a room to hand it to another one, with all that has happened in it. That
    /// begins in a moment, if both serve then; the room says who has it.
    private func move(_ call: DeskCall) async throws -> HTTPResponse {
        let server = try call.read { $0.id("server") }
        let id = try call.id()
        let servers = try await servers().filter(\.isRunning).map(\.entry)
        guard servers.contains(where: { $0.name == "\(server)" && $0.state == .serving }) else {
            throw APIError(.conflict, "No server with that incarnation serves. /admin/v1/servers lists them.")
        }
        try await acting(call, "room.move", "room:\(id)") { connection, now, entry in
            let room = try await DeskRooms.lock(id, at: now, on: connection).orThrow(DeskCall.notFound)
            if room.isClosed { throw APIError(.conflict, "This room is closed already.") }
            guard let owner = room.owner, servers.contains(where: { $0.name == "\(owner)" }) else {
                throw APIError(.conflict, "No server has this room now. Its next member brings it to one.")
            }
            if owner == server { throw APIError(.conflict, "This server has the room already.") }
            entry.before = ["server": .string("\(owner)")]
            entry.after = ["server": .string("\(server)")]
        }
        application.changed(.move(id, to: server))
        return HTTPResponse(status: 202)
    }

    /// Closes a room: its sockets end with 1000, as at the end of the slot, and no member enters it or is
    /// matched into it any more.
    private func close(_ call: DeskCall) async throws -> HTTPResponse {
        let id = try call.id()
        do {
            try await acting(call, "room.close", "room:\(id)") { connection, now, entry in
                let room = try await DeskRooms.lock(id, at: now, on: connection).orThrow(DeskCall.notFound)
                if room.isClosed { throw APIError(.conflict, "This room is closed already.") }
                try await DeskRooms.close(id, at: now, on: connection)
                entry.before = ["present": .integer(room.present)]
            }
        } catch {
            // Where the answer to COMMIT was lost, or this is the second attempt after that, servers look.
            application.changed(.room(id))
            throw error
        }
        application.changed(.room(id))
        return try await answer(room: id)
    }
}
