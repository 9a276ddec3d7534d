import Client
import Contract

/// Waits for its room, and answers each ale with an ale, until the room closes.
func bot(server: String, token: String) async throws {
    let api = try APIClient(server: Server(server), token: token)
    let room = try await api.waitForRoom()
    let connection = try api.connection(in: room.id)
    let events = connection.events
    await connection.start()
    for await event in events {
        switch event {
        case .connected(let handshake, _): print("In the room, with \(handshake.members.count) members.")
        case .ale: await connection.cheer()
        case .interrupted(_, let wait): print("Away. Trying again in \(wait).")
        case .closed(let reason): print("Out: \(reason.error.detail)")
        default: break
        }
    }
}
