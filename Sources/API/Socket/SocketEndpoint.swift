package import Contract
import Crypto
import Database
import HTTP1
package import HTTPServer
import Postgres
import Reactor
package import Rooms
import WebSocket

/// `GET /socket?id=…`, by which a device joins a room (contract §3).
package struct SocketEndpoint: Sendable {
    package let application: Application
    package let rooms: RoomDirectory
    package let signIn: SignIn

    package init(application: Application, rooms: RoomDirectory, signIn: SignIn) {
        self.application = application
        self.rooms = rooms
        self.signIn = signIn
    }

    package func add(to router: inout Router) {
        // A ticket is checked without the database, so its upgrade needs no task.
        router.on(
            .get, Routes.socket,
            .immediateElseTask(
                { request in
                    do {
                        guard let attempt = try read(request) else { return nil }
                        return upgrade(attempt)
                    } catch {
                        return Answer.refusal(for: error, id: request.id)
                    }
                },
                { request in
                    do {
                        return upgrade(try await signIn(request))
                    } catch {
                        return Answer.refusal(for: error, id: request.id)
                    }
                }))
    }

    private struct Attempt: Sendable {
        var handshake: ServerHandshake.Acceptance
        var entry: RoomHost.Entry

        var headers: HTTPHeaders {
            var headers = HTTPHeaders()
            let subprotocol = entry.version == .two ? Routes.socketVersion2 : nil
            for (name, value) in handshake.headers(confirming: subprotocol) { headers.append(name, value) }
            return headers
        }
    }

    // Authentication and the parameters of the request.

    /// Reads a request with a ticket; nil if it has an API token, which has to be looked up.
    private func read(_ request: HTTPRequest) throws -> Attempt? {
        let handshake = try self.handshake(request)
        let position = try self.position(request)
        if request.head.headers.contains("authorization") { return nil }
        guard let token = request.query.first("token") else {
            throw Self.unauthenticated("Send Authorization: Bearer and your token, or a ticket as token=.")
        }
        guard Ticket.isTicket(token) else { return nil }
        guard let ticket = application.tickets.read(token) else {
            throw Self.unauthenticated(
                "This ticket was not made here. Take the socketUrl of GET /v1/rooms/{id}.")
        }
        guard ticket.room == request.query.first("id").flatMap({ Identifier($0) }) else {
            throw Self.noSuchRoom
        }
        if ticket.expires <= application.now() { throw Self.closed }
        return Attempt(
            handshake: handshake,
            entry: RoomHost.Entry(
                room: ticket.room, user: ticket.user, tokenVersion: ticket.tokenVersion,
                version: version(handshake), position: position))
    }

    private func signIn(_ request: HTTPRequest) async throws -> Attempt {
        let handshake = try self.handshake(request)
        let database = application.database(request.loop)
        let user: SignedInUser
        if request.head.headers.contains("authorization") {
            user = try await signIn.read(request, from: database)
        } else {
            guard let token = request.query.first("token").flatMap({ APIToken($0) }),
                let found = try await signIn.find(token, in: database)
            else { throw Self.unauthenticated("This token is not valid, or no longer.") }
            user = found
        }
        try application.limits.checkRequest(of: user.id)
        guard let room = request.query.first("id").flatMap({ Identifier($0) }) else { throw Self.noSuchRoom }
        return Attempt(
            handshake: handshake,
            entry: RoomHost.Entry(
                room: room, user: user.id, tokenVersion: user.tokenVersion, version: version(handshake),
                position: try position(request)))
    }

    private func handshake(_ request: HTTPRequest) throws -> ServerHandshake.Acceptance {
        do throws(HandshakeError) {
            return try ServerHandshake.evaluate(
                method: request.head.method.rawValue, minorVersion: request.head.minorVersion,
                values: { request.head.headers.all($0) })
        } catch {
            let headers = Dictionary(error.headers.map { ($0.name, $0.value) }) { $1 }
            throw APIError(ProblemName(status: error.status), error.detail, headers: headers)
        }
    }

    private func version(_ handshake: ServerHandshake.Acceptance) -> SocketVersion {
        handshake.protocols.contains(Routes.socketVersion2) ? .two : .one
    }

    private func position(_ request: HTTPRequest) throws -> RoomHost.Position? {
        guard let epoch = request.query.first("epoch"), let text = request.query.first("since") else {
            return nil
        }
        guard let since = Int64(text), since >= 0 else {
            throw APIError(
                .unreadable, "The query parameter since has to be the seq of the last ale that was seen.")
        }
        return RoomHost.Position(epoch: epoch, since: since)
    }

    // The entry into the room.

    private func upgrade(_ attempt: Attempt) -> HTTPResponse {
        let entry = attempt.entry
        let upgrade = Upgrade(to: rooms.loop(of: entry.room), headers: attempt.headers) { connection in
            do throws(RoomHost.JoinError) {
                try join(entry, connection)
            } catch {
                if error.mayBeOutdated { return joinAnew(entry, connection) }
                refuse(connection, Self.problem(for: error))
            }
            return nil
        }
        return HTTPResponse(upgrade: upgrade)
    }

    private func join(
        _ entry: RoomHost.Entry, _ connection: WebSocketConnection
    ) throws(RoomHost.JoinError) {
        let (peer, greeting) = try rooms.host(of: entry.room).join(entry, connection)
        connection.accept(peer, greeting: greeting)
    }

    /// Reads the room from the database, and tries once more. The task is cancelled if the client goes away.
    private func joinAnew(_ entry: RoomHost.Entry, _ connection: WebSocketConnection) -> Task<Void, Never> {
        let loop = rooms.loop(of: entry.room)
        let connection = LoopBound(connection, to: loop)
        return Task(executorPreference: loop) {
            do {
                switch try await rooms.enter(entry.room) {
                case .here, .unknown: break
                case .elsewhere: throw Self.elsewhere
                }
                do throws(RoomHost.JoinError) {
                    try join(entry, connection.value)
                } catch {
                    if error == .unknownRoom, try await rooms.wasThere(entry.room, of: entry.user) {
                        throw Self.closed
                    }
                    throw Self.problem(for: error)
                }
            } catch {
                refuse(connection.value, error)
            }
        }
    }

    private func refuse(_ connection: WebSocketConnection, _ error: any Error) {
        connection.refuse(Answer.refusal(for: error, id: connection.id))
    }

    private static func problem(for error: RoomHost.JoinError) -> APIError {
        switch error {
        case .unknownRoom, .notAMember: noSuchRoom
        case .staleToken:
            unauthenticated("This token, or the one that the ticket was made under, has been replaced.")
        case .closed, .gone: closed  // Nobody reads the answer to a device that is gone.
        case .tooManyDevices:
            APIError(
                .tooManyDevices,
                "You are in this room on as many devices as may be. Leave it on one of them.",
                headers: ["Retry-After": "5"])
        case .draining:
            APIError(
                .draining, "The server is about to stop. Try again in a moment.",
                headers: ["Retry-After": "2"])
        }
    }

    private static func unauthenticated(_ detail: String) -> APIError {
        APIError(
            .unauthenticated, detail,
            headers: ["WWW-Authenticate": "Bearer realm=\"letsswitch\", error=\"invalid_token\""])
    }

    private static let noSuchRoom = APIError(
        .notFound, "There is no such room, or you are not a member of it.")
    private static let elsewhere = APIError(
        .unavailable, "Another server has this room. Try again in a moment.", headers: ["Retry-After": "1"])
    private static let closed = APIError(.gone, "This room has closed.")
}

extension RoomPeer: WebSocketHandler {}

extension WebSocketConnection: FrameSink {
    package func close(_ code: RoomClose, reason: String) {
        close(CloseCode(rawValue: code.rawValue), reason: reason)
    }
}
