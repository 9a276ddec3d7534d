import Contract
import HTTP1
import Reactor

/// Makes users, their registrations for one slot, and the paths of the rooms in which they meet.
struct RoomMaker: Sendable {
    private static let patience = Duration.seconds(600)

    let address: SocketAddress
    let loop: EventLoop
    let slot: Timestamp

    /// Returns the paths of the sockets, the members of a room one after the other.
    func makeRooms(_ rooms: Int, size: Int) async throws(BenchError) -> [String] {
        let tokens = try await signUp(rooms * size)
        try await register(tokens)
        Output.warn("\(tokens.count) people are registered; waiting for their rooms")
        return try await readRooms(of: tokens, rooms: rooms, size: size)
    }

    /// Waits for the rooms of those with the tokens, and returns the paths of their sockets.
    func readRooms(of tokens: [String], rooms: Int, size: Int) async throws(BenchError) -> [String] {
        let addresses = try await waitForRooms(tokens)
        var members: [Identifier: [String]] = [:]
        for address in addresses { members[address.room, default: []].append(address.path) }
        let whole = members.filter { $0.value.count == size }.sorted { $0.key < $1.key }
        guard whole.count == rooms else {
            throw .failed(
                "\(whole.count) rooms of \(size) have opened instead of \(rooms). Is ROOM_SIZE \(size), and "
                    + "were all registered before the rooms opened?")
        }
        return whole.flatMap(\.value)
    }

    private func signUp(_ count: Int) async throws(BenchError) -> [String] {
        let requests = try (0..<count).map { number throws(BenchError) in
            try request(.post, Routes.users, body: NewUser(name: "Bench \(number)"))
        }
        return try await send(requests).map { body throws(BenchError) in try read(SignedUp.self, body).token }
    }

    private func register(_ tokens: [String]) async throws(BenchError) {
        let registration = NewRegistration(task: "Measure", slots: .instants([slot]))
        _ = try await send(
            tokens.map { token throws(BenchError) in
                try request(.post, Routes.registrations, token: token, body: registration)
            })
    }

    /// Polls for the people without a room, until each has one.
    private func waitForRooms(_ tokens: [String]) async throws(BenchError) -> [(
        room: Identifier, path: String
    )] {
        var found: [(room: Identifier, path: String)] = []
        var waiting = tokens
        let clock = ContinuousClock()
        let deadline = clock.now + Self.patience
        while !waiting.isEmpty {
            guard clock.now < deadline else { throw .failed("\(waiting.count) people have no room.") }
            // One person is polled until it has a room, then all are.
            let asked = found.isEmpty ? [waiting[0]] : waiting
            let answers = try await send(
                asked.map { RequestPump.Request(method: .get, path: Routes.notifications, token: $0) })
            var homeless = Array(waiting.dropFirst(asked.count))
            for (token, body) in zip(asked, answers) {
                let details = try read(NotificationList.self, body).notifications.compactMap(Self.socket)
                if let details = details.last { found.append(details) } else { homeless.append(token) }
            }
            if homeless.count == waiting.count || asked.count > 1 {
                try? await clock.sleep(for: .milliseconds(500))
            }
            waiting = homeless
        }
        return found
    }

    private static func socket(_ notification: UserNotification) -> (room: Identifier, path: String)? {
        switch notification.data {
        case .roomOpened(let details), .roomChanged(let details):
            guard let path = details.socketUrl.firstRange(of: Routes.socket) else { return nil }
            return (details.roomId, String(details.socketUrl[path.lowerBound...]))
        case .sessionMissed, .sessionLapsed, .sessionCompleted, .slotPartnered, .slotAlone, .announcement,
            .unknown:
            return nil
        }
    }

    private func send(_ requests: [RequestPump.Request]) async throws(BenchError) -> [[UInt8]] {
        try await RequestPump.run(requests, to: address, on: loop)
    }

    private func request(
        _ method: HTTPMethod, _ path: String, token: String? = nil, body: some RequestBody
    ) throws(BenchError) -> RequestPump.Request {
        do {
            return RequestPump.Request(method: method, path: path, token: token, body: try JSON.encode(body))
        } catch {
            throw .failed("A request cannot be written: \(error).")
        }
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) throws(BenchError) -> Value {
        do {
            return try JSON.decode(type, from: body)
        } catch {
            throw .failed("An answer cannot be read: \(error).")
        }
    }
}
