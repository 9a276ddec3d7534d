import Client
import Contract
import Reactor
import TestKit

/// A user with an account, who talks to one server.
struct Person: Sendable {
    let user: User
    let token: String
    let api: APIClient
    private let loop: EventLoop

    /// Makes an account; with the idempotency key of an earlier try, the same one.
    init(
        named name: String, on server: ServerProcess, key: String = APIClient.makeIdempotencyKey()
    ) async throws {
        try await self.init(named: name, at: try server.server, key: key)
    }

    init(named name: String, at server: Server, key: String = APIClient.makeIdempotencyKey()) async throws {
        loop = TestLoops.next()
        let api = APIClient(server: server, token: nil, loop: loop).repeating(key)
        let answer = try await api.signUp(NewUser(name: name))
        user = answer.user
        token = answer.token
        self.api = api.authenticated(with: token)
    }

    /// Places for those of a crowd who ask for something at the same time. A server turns others away who
    /// have waited for the database for too long, as on a busy machine.
    static func places() -> Permits { Permits(count: 32) }

    /// Makes several people, many at once.
    static func crowd(_ count: Int, on server: ServerProcess) async throws -> [Person] {
        let places = places()
        return try await withThrowingTaskGroup(of: (Int, Person).self) { group in
            for index in 0..<count {
                group.addTask {
                    try await places.with { (index, try await Person(named: "Person \(index)", on: server)) }
                }
            }
            var people: [Int: Person] = [:]
            for try await (index, person) in group { people[index] = person }
            return people.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private init(_ user: User, _ token: String, _ api: APIClient, _ loop: EventLoop) {
        self.user = user
        self.token = token
        self.api = api
        self.loop = loop
    }

    /// Returns the same person at another server.
    func at(_ server: ServerProcess) throws -> Person {
        Person(user, token, APIClient(server: try server.server, token: token, loop: loop), loop)
    }

    /// Returns the same person with another token.
    func with(token: String) -> Person {
        Person(user, token, api.authenticated(with: token), loop)
    }

    @discardableResult
    func register(
        _ startsAt: Timestamp, task: String = "Work", minutes: Int? = nil
    ) async throws -> Registration {
        let made = try await api.register(
            NewRegistration(task: task, slots: .instants([startsAt]), minutes: minutes))
        guard let first = made.first, made.count == 1 else { throw TestError("\(made)") }
        return first
    }

    /// Registers for a slot that is open, and waits for the room.
    func enter(_ startsAt: Timestamp, task: String = "Work") async throws -> NotificationData.RoomDetails {
        try await register(startsAt, task: task)
        return try await roomOpened()
    }

    /// Waits for the first notification, old or new, for which the closure returns a value.
    func notification<Value: Sendable>(
        _ what: String, _ wanted: @escaping @Sendable (UserNotification) -> Value?
    ) async throws -> Value {
        let stream = api.events(after: 0)
        return try await within("\(what) for \(user.name)") {
            for try await event in stream {
                if case .notification(let notification) = event, let value = wanted(notification) {
                    return value
                }
            }
            throw CancellationError()
        }
    }

    func roomOpened() async throws -> NotificationData.RoomDetails {
        try await notification("room.opened") { notification in
            if case .roomOpened(let details) = notification.data { details } else { nil }
        }
    }

    /// Waits for the first change of a room for which the closure holds.
    func roomChanged(
        where isWanted: @escaping @Sendable (NotificationData.RoomDetails) -> Bool = { _ in true }
    ) async throws -> NotificationData.RoomDetails {
        try await notification("room.changed") { notification in
            if case .roomChanged(let details) = notification.data, isWanted(details) { details } else { nil }
        }
    }
}
