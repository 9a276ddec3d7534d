// The code of the articles in Sources/Client/Client.docc, except the program of GettingStarted.swift. A test
// compares each block of an article with these files.

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

// Errors.

/// Registers a task, and returns a text for the person if that is not possible.
func register(_ task: String, at start: Timestamp, with api: APIClient) async -> String? {
    do throws(ClientError) {
        _ = try await api.register(NewRegistration(task: task, slots: .instants([start])))
        return nil
    } catch {
        switch error {
        case .problem(let problem):
            switch problem.name {
            case .alreadyRegistered: return nil
            case .unauthenticated: return "Sign in again."
            case .invalid: return problem.errors?.first?.detail ?? problem.detail
            default: return problem.detail
            }
        case .network, .timedOut: return "The service cannot be reached. Check the network, then try again."
        case .cancelled: return nil
        default: return error.detail
        }
    }
}

func repeated(_ api: APIClient, _ registration: NewRegistration, _ keychain: Keychain) async throws {
    let key = APIClient.makeIdempotencyKey()
    try await keychain.save(key)
    let registrations = try await api.repeating(key).register(registration)
    _ = registrations
}

func conditional(_ api: APIClient) async throws {
    let me = try await api.taggedMe()
    let changed = try await api.changeMe(UserPatch(name: "\(me.value.name) B."), ifMatch: me.tag)
    _ = changed
}

func bounded(_ api: APIClient) async throws {
    let room = try await api.waitForRoom(timeout: .seconds(3600))
    _ = room
}

// Notifications.

/// Prints notifications until the stream ends with an error, beginning after the id `position`.
func follow(_ api: APIClient, after position: Int64?, _ keychain: Keychain) async throws {
    for try await event in api.events(after: position) {
        switch event {
        case .connected: print("Connected.")
        case .notification(let notification):
            print(text(for: notification))
            try await keychain.save("\(notification.id)")
        case .interrupted(let reason, let wait): print("\(reason) The next attempt follows in \(wait).")
        }
    }
}

func text(for notification: UserNotification) -> String {
    switch notification.data {
    case .roomOpened(let room): "Your room is open until \(room.closesAt). Partners: \(room.partners.count)."
    case .roomChanged(let room): "Your room has changed. Partners: \(room.partners.count)."
    case .sessionCompleted(let session): "You heard \(session.alesReceived) ales."
    case .sessionMissed(let session): "You missed the session at \(session.startsAt)."
    case .sessionLapsed: "The service was down. The session does not count."
    case .slotPartnered(let slot): "A partner has registered for \(slot.startsAt)."
    case .slotAlone(let slot): "You are alone again at \(slot.startsAt)."
    case .announcement(let announcement): announcement.text
    case .unknown(let type): "A new kind of notification: \(type)."
    }
}

func latest(_ api: APIClient) async throws {
    let latest = try await api.notifications(order: .descending, limit: 20)
    for notification in latest { print(text(for: notification)) }
    let stream = api.events(after: latest.first?.id, types: [.roomOpened, .roomChanged])
    _ = stream
}
