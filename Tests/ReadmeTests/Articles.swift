// The code of the articles in Sources/Client/Client.docc. A test compares each block of an article with it.

import Client
import Contract

struct Keychain {
    func token(insteadOf refused: String?) async throws -> String? { nil }
    func save(_ text: String) async throws {}
}

func overview(token: String) async throws {
    let api = try APIClient(server: Server("http://127.0.0.1:8080"), token: token)
    let room = try await api.waitForRoom()
    let connection = try api.connection(in: room.id)
    let events = connection.events
    await connection.start()
    for await event in events {
        if case .ale = event { await connection.cheer() }
    }
}

func tokenSource(_ keychain: Keychain) throws {
    let api = try APIClient(server: Server("https://example.org")) { refused in
        try await keychain.token(insteadOf: refused)
    }
    _ = api
}

func bounded(_ connection: RoomConnection) async {
    await connection.cheer(retrying: RetryPolicy(attempts: 3, pause: .zero, total: .seconds(20)))
}
