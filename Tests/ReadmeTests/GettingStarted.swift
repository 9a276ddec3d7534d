import Client
import Contract

/// Signs up and returns a client with the token of the new account.
func signUp(_ name: String, at server: Server) async throws(ClientError) -> APIClient {
    let stranger = try APIClient(server: server).retrying(.default)
    let account = try await stranger.signUp(NewUser(name: name))
    // No other answer has these two. A real program stores them before it continues.
    print("Token: \(account.token). Recovery code: \(account.recoveryCode ?? "none").")
    return stranger.authenticated(with: account.token)
}

/// Registers a task for a slot of today, preferably one for which another person is registered.
func register(_ task: String, with api: APIClient) async throws(ClientError) -> Registration? {
    let today = try await api.slots().slots
    let best = today.first { $0.state == .waiting } ?? today.first { $0.state == .empty }
    guard let best else { return nil }
    return try await api.register(NewRegistration(task: task, slots: .instants([best.startsAt]))).first
}

/// Waits for the room, cheers each partner who is there, and returns the number of ales that it heard until
/// the room closed.
func attend(with api: APIClient) async throws(ClientError) -> Int64 {
    let room = try await api.waitForRoom()
    let connection = try api.connection(in: room.id)
    let events = connection.events
    await connection.start()
    var heard: Int64 = 0
    for await event in events {
        switch event {
        case .connected(let handshake, _):
            for partner in handshake.members where !partner.you {
                print("\(partner.name): \(partner.task ?? "–")")
                if partner.present { await connection.cheer() }
            }
        case .presence(_, present: true): await connection.cheer()
        case .ale(let ale): heard += ale.count
        case .interrupted(_, let wait): print("The connection is lost. The next attempt follows in \(wait).")
        case .closed(.roomClosed): print("The room has closed.")
        case .closed(let reason): throw reason.error
        default: break
        }
    }
    return heard
}

/// Runs the program and returns its exit code. Prints an error as one line.
func focus(on task: String, server: String, token: String?) async -> Int32 {
    do throws(ClientError) {
        let server = try Server(server)
        let api: APIClient
        if let token {
            api = try APIClient(server: server, token: token).retrying(.default)
        } else {
            api = try await signUp("Aiko", at: server)
        }
        guard let registration = try await register(task, with: api) else {
            print("No slot is free today.")
            return 1
        }
        print("Registered for \(registration.slot.startsAt).")
        print("Ales: \(try await attend(with: api)).")
        return 0
    } catch {
        print(error.detail)
        return 1
    }
}
