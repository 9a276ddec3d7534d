package import Cluster
package import Contract
import Crypto
import Database
import HTTP1
package import HTTPServer
import Logging
import Postgres
import Reactor
package import Rooms
import Settings
import WebSocket

/// `GET /socket?id=…`, by which a device joins a room (contract §3).
///
/// A class, since its closures would copy the parts of a structure for each handshake.
package final class SocketEndpoint: Sendable {
    package let application: Application
    package let rooms: RoomDirectory
    package let signIn: SignIn
    /// The way to rooms that other servers own.
    package let tunnels: RoomTunnels
    package let refusals = SocketErrorMemory()

    package init(application: Application, rooms: RoomDirectory, signIn: SignIn, tunnels: RoomTunnels) {
        self.application = application
        self.rooms = rooms
        self.signIn = signIn
        self.tunnels = tunnels
    }

    package func add(to router: inout Router) {
        // A ticket is checked without the database, so its upgrade needs no task.
        router.on(
            .get, Routes.socket,
            .immediateElseTask(
                { [self] request in
                    do {
                        guard let attempt = try read(request) else { return nil }
                        return upgrade(attempt)
                    } catch {
                        // An answer that is held needs a task.
                        let response = refusal(for: error, to: request)
                        return refusals.goesAtOnce(response.status, for: request) ? response : nil
                    }
                },
                { [self] request in
                    do {
                        if let attempt = try read(request) { return upgrade(attempt) }
                        if let known = refusals.known(for: request) { throw known }
                        return upgrade(try await signIn(request))
                    } catch {
                        refusals.note(error, for: request)
                        let response = refusal(for: error, to: request)
                        await refusals.hold(response.status, for: request)
                        return response
                    }
                }))
    }

    /// Returns the answer to a client that is not let in. It says which server has refused, so that an
    /// operator can try without a token where a balancer brings a socket.
    private func refusal(for error: any Error, to request: HTTPRequest) -> HTTPResponse {
        var response = Answer.refusal(for: error, id: request.id, in: request.language())
        if response.status == 401 { Log.debug("sign-in refused", ["request": request.id]) }
        response.headers.append(
            Routes.serverHeader,
            ServerEntry.shownName(
                label: application.configuration.serverName, incarnation: rooms.incarnation))
        return response
    }

    /// Adds the call by which other servers bring devices to the rooms of this one.
    package func add(to router: inout Router, admittedBy peers: InternalAPI) {
        router.immediate(.get, RoomTunnels.path) { [self] request in
            switch peers.admit(request, for: .socket) {
            case .refused(let response): return response
            case .admitted(let assertion):
                do {
                    return upgrade(try read(request, assertion, peers))
                } catch {
                    return Answer.refusal(for: error, id: Self.id(request), in: request.language())
                }
            }
        }
    }

    /// Returns the id of the client's request for which another server asks.
    private static func id(_ request: HTTPRequest) -> String {
        request.head.headers.first(RoomTunnels.idHeader) ?? request.id
    }

    private struct Attempt: Sendable {
        var handshake: ServerHandshake.Acceptance
        var entry: RoomHost.Entry
        var source: Source

        var headers: HTTPHeaders {
            var headers = HTTPHeaders()
            let subprotocol = entry.version == .two ? Routes.socketVersion2 : nil
            for (name, value) in handshake.headers(confirming: subprotocol) { headers.append(name, value) }
            if case .server(let server) = source {
                let field = server.signed([])
                headers.append(field.name, field.value)
            }
            return headers
        }
    }

    /// The sender of a request for a socket.
    enum Source: Sendable {
        /// A client, which is brought to the room's owner if need be.
        case client(HTTPRequest)
        /// Another server, for a client. One hop is enough: if the room is not here, the answer is 421.
        case server(PeerRequester)

        var isServer: Bool {
            switch self {
            case .client: false
            case .server: true
            }
        }

        /// The language of a refusal.
        var language: Language {
            switch self {
            case .client(let request): request.language()
            case .server(let server): server.language
            }
        }

        /// The id that a refusal names.
        var id: String {
            switch self {
            case .client(let request): request.id
            case .server(let server): server.id
            }
        }
    }

    /// A server that brings a client to a room of this one.
    struct PeerRequester: Sendable {
        /// Returns the field that signs an answer with that body.
        let signed: @Sendable ([UInt8]) -> (name: String, value: String)
        /// Whether it asks all servers, since the database is away.
        let asksAll: Bool
        /// The language and the id of the client's request.
        let language: Language
        let id: String
    }

    // Authentication and the parameters of the request.

    /// Reads a request with a ticket; nil if it has an API token or a session, which have to be looked up.
    private func read(_ request: HTTPRequest) throws -> Attempt? {
        let handshake = try self.handshake(request)
        let (position, options) = (try self.position(request), try SocketOptions(request))
        if SignIn.hasToken(request) { return nil }
        guard let token = token(request, handshake) else {
            if signIn.hasCookie(request) { return nil }
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
                version: version(handshake), position: position, options: options),
            source: .client(request))
    }

    private func signIn(_ request: HTTPRequest) async throws -> Attempt {
        let handshake = try self.handshake(request)
        let database = application.database(request.loop)
        let user: SignedInUser
        let token = token(request, handshake)
        if SignIn.hasToken(request) || token == nil {
            user = try await signIn.read(request, sensitive: true, from: database)
        } else {
            guard let token = token.flatMap({ APIToken($0) }),
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
                position: try position(request), options: try SocketOptions(request)),
            source: .client(request))
    }

    /// Reads a request of another server, which has authenticated the user.
    private func read(
        _ request: HTTPRequest, _ assertion: PeerAssertion, _ peers: InternalAPI
    ) throws -> Attempt {
        guard let claim = assertion.socket else {
            throw APIError(.unreadable, "The assertion is not about a socket.")
        }
        return Attempt(
            handshake: try handshake(request),
            entry: RoomHost.Entry(
                room: claim.room, user: claim.user, tokenVersion: claim.tokenVersion,
                version: claim.version == 2 ? .two : .one, position: try position(request),
                isRelayed: true, options: try SocketOptions(request)),
            source: .server(
                PeerRequester(
                    signed: { peers.answer(to: assertion, body: $0) }, asksAll: claim.term == 0,
                    language: request.language(), id: Self.id(request))))
    }

    /// Returns the token or ticket of the query; else that of a subprotocol `token.…`, by which a page signs
    /// in that can set no header. Such a subprotocol is never confirmed.
    private func token(_ request: HTTPRequest, _ handshake: ServerHandshake.Acceptance) -> String? {
        if let token = request.query.first("token") { return token }
        let prefix = Routes.tokenSubprotocol
        return handshake.protocols.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }

    private func handshake(_ request: HTTPRequest) throws -> ServerHandshake.Acceptance {
        do throws(HandshakeError) {
            return try ServerHandshake.evaluate(
                method: request.head.method.rawValue, minorVersion: request.head.minorVersion,
                values: { request.head.headers.all($0) })
        } catch {
            let headers = Dictionary(error.headers.map { ($0.name, $0.value) }) { $1 }
            throw APIError(ProblemName(status: error.status), Text(english: error.detail), headers: headers)
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

    /// Answers with an upgrade that lets the device into its room. If the room is not here, a task looks for
    /// the server that has it. The task is cancelled if the client goes away.
    private func upgrade(_ attempt: Attempt) -> HTTPResponse {
        let (entry, source) = (attempt.entry, attempt.source)
        let loop = rooms.loop(of: entry.room)
        let upgrade = Upgrade(
            to: loop, headers: attempt.headers, account: entry.user, isOfPeer: source.isServer
        ) { [self] connection in
            do throws(RoomHost.JoinError) {
                try join(entry, connection)
                return nil
            } catch {
                let device = SocketEntrant(
                    entry: entry, source: source, connection: LoopBound(connection, to: loop),
                    begin: Monotonic.nanoseconds(), endpoint: self)
                return Task(executorPreference: loop) { [self] in
                    do {
                        guard error.mayBeOutdated else { throw Self.problem(for: error) }
                        try await rooms.admit(device)
                    } catch {
                        await refuse(device.connection, error, to: source)
                    }
                }
            }
        }
        return HTTPResponse(upgrade: upgrade)
    }

    func join(
        _ entry: RoomHost.Entry, _ connection: WebSocketConnection
    ) throws(RoomHost.JoinError) {
        let (peer, greeting) = try rooms.host(of: entry.room).join(entry, connection)
        connection.accept(
            peer, greeting: greeting, record: record(of: entry), SocketTuning(entry.options))
    }

    /// Returns the record of a socket, where the log wants one.
    private func record(of entry: RoomHost.Entry) -> SocketRecord? {
        guard Log.isWritten(.debug) else { return nil }
        Log.debug("socket opened", ["user": entry.user, "room": entry.room])
        return SocketRecord { end in
            Log.debug(
                "socket closed",
                [
                    "user": entry.user, "room": entry.room, "code": end.code, "reason": end.reason,
                    "seconds": end.seconds, "in": end.traffic.received, "out": end.traffic.sent,
                ])
        }
    }
}

extension RoomPeer: WebSocketHandler {
    package var closeAtEnd: SocketClose? {
        returnHint.map { SocketClose(code: RoomClose.restarting.rawValue, reason: RetryAfter.reason($0)) }
    }
}

extension WebSocketConnection: FrameSink {
    package func close(_ code: RoomClose, reason: String) {
        close(CloseCode(rawValue: code.rawValue), reason: reason)
    }
}
