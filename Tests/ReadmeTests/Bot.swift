import Client
import Contract

/// Waits for the account's room and answers each ale with an ale until the room closes.
func bot(server: String, token: String) async throws(ClientError) {
    let api = try APIClient(server: Server(server), token: token)
    let room = try await api.waitForRoom()
    let connection = try api.connection(in: room.id)
    let events = connection.events
    await connection.start()
    for await event in events {
        switch event {
        case .connected(let handshake, _): print("In the room. Members: \(handshake.members.count).")
        case .ale: await connection.cheer()
        case .interrupted(_, let wait): print("Away. Trying again in \(wait).")
        case .closed(let reason): print("Out: \(reason.error.detail)")
        default: break
        }
    }
}

/// Runs the bot until its room closes and returns the exit code. Prints an error as one line.
func run(server: String, token: String) async -> Int32 {
    do {
        try await bot(server: server, token: token)
        return 0
    } catch {
        print("The bot cannot go on: \(error.detail)")
        return 1
    }
}
