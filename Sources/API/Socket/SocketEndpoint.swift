package import Cluster
package import Contract
import Crypto
import Database
import HTTP1
package import HTTPServer
import Postgres
import Reactor
package import Rooms
import Settings
import WebSocket

/// `GET /socket?id=…`, by which a device joins a room (contract §3).
package struct SocketEndpoint: Sendable {
    package let application: Application
    package let rooms: RoomDirectory
    package let signIn: SignIn
    /// The way to rooms that other servers own.
    package let tunnels: RoomTunnels

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
                { request in
                    do {
                        guard let attempt = try read(request) else { return nil }
                        return upgrade(attempt)
                    } catch {
                        return refusal(for: error, id: request.id)
                    }
                },
                { request in
                    do {
                        return upgrade(try await signIn(request))
                    } catch {
                        return refusal(for: error, id: request.id)
                    }
                }))
    }

    /// Returns the answer to a client that is not let in. It says which server has refused, so that an
    /// operator can try without a token where a balancer brings a socket.
    private func refusal(for error: any Error, id: String) -> HTTPResponse {
        var response = Answer.refusal(for: error, id: id)
        response.headers.append(
            Routes.serverHeader,
            ServerEntry.shownName(
                label: application.configuration.serverName, incarnation: rooms.incarnation))
        return response
    }

    /// Adds the call by which other servers bring devices to the rooms of this one.
    package func add(to router: inout Router, admittedBy peers: InternalAPI) {
        router.on(
            .get, RoomTunnels.path,
            .immediate { request in
                switch peers.admit(request, for: .socket) {
                case .refused(let response): return response
                case .admitted(let assertion):
                    do {
                        return upgrade(try read(request, assertion, peers))
                    } catch {
                        return Answer.refusal(for: error, id: request.id)
                    }
                }
            })
    }

    private struct Attempt: Sendable {
        var handshake: ServerHandshake.Acceptance
        var entry: RoomHost.Entry
        var source: Source

        var headers: HTTPHeaders {
            var headers = HTTPHeaders()
            let subprotocol = entry.version == .two ? Routes.socketVersion2 : nil
            for (name, value) in handshake.headers(confirming: subprotocol) { headers.append(name, value) }
            if case .server(let signed, _) = source {
                let field = signed([])
                headers.append(field.name, field.value)
            }
            return headers
        }
    }

    /// The sender of a request for a socket.
    enum Source: Sendable {
        /// A client at that address, with the query of its request, which is brought to the room's owner if
        /// need be.
        case client(String, query: String)
        /// Another server, and the field that signs an answer with a body. One hop is enough: if the room is
        /// not here, the answer is 421. A server that asks all does so because the database is away.
        case server(signed: @Sendable ([UInt8]) -> (name: String, value: String), asksAll: Bool)
    }

    // Authentication and the parameters of the request.

    /// Reads a request with a ticket; nil if it has an API token or a session, which have to be looked up.
    private func read(_ request: HTTPRequest) throws -> Attempt? {
        let handshake = try self.handshake(request)
        let position = try self.position(request)
        if request.head.headers.contains("authorization") { return nil }
        guard let token = request.query.first("token") else {
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
                version: version(handshake), position: position),
            source: .client(request.client.description, query: request.head.query ?? ""))
    }

    private func signIn(_ request: HTTPRequest) async throws -> Attempt {
        let handshake = try self.handshake(request)
        let database = application.database(request.loop)
        let user: SignedInUser
        if request.head.headers.contains("authorization") || request.query.first("token") == nil {
            user = try await signIn.read(request, sensitive: true, from: database)
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
                position: try position(request)),
            source: .client(request.client.description, query: request.head.query ?? ""))
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
                version: claim.version == 2 ? .two : .one, position: try position(request)),
            source: .server(
                signed: { peers.answer(to: assertion, body: $0) }, asksAll: claim.term == 0))
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
                if error.mayBeOutdated { return find(entry, attempt.source, connection) }
                refuse(connection, Self.problem(for: error), to: attempt.source)
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

    /// Finds the server that has the room, by the database, and lets the device in there. The task is
    /// cancelled if the client goes away.
    private func find(
        _ entry: RoomHost.Entry, _ source: Source, _ connection: WebSocketConnection
    ) -> Task<Void, Never> {
        let loop = rooms.loop(of: entry.room)
        let connection = LoopBound(connection, to: loop)
        let knock = Monotonic.nanoseconds()
        return Task(executorPreference: loop) {
            do {
                // A server that has just started, or was paused, waits for its lease. Then it need not ask
                // further if it knows the room.
                if !rooms.mayAnswer() {
                    await tunnels.untilCertain()
                    if (try? join(entry, connection.value)) != nil { return }
                }
                if case .server(_, asksAll: true) = source {
                    return refuse(connection.value, HTTPResponse(status: 421), to: source)
                }
                var hasTaken = false
                for _ in 0..<Self.searches {
                    guard let place = try await place(of: entry, source, connection) else { return }
                    switch place {
                    case .here:
                        if hasTaken {
                            tunnels.metrics.opened(entry.room, knock: knock, now: Monotonic.nanoseconds())
                        }
                        return try await joinHere(entry, connection)
                    case .unknown: return try await joinHere(entry, connection)
                    case .elsewhere(let owner, let term):
                        guard case .client(let client, let query) = source else {
                            return refuse(connection.value, HTTPResponse(status: 421), to: source)
                        }
                        if await redirect(query, to: owner, connection) { return }
                        let request = request(entry, client, term)
                        switch try await pass(request, to: owner, knock, connection) {
                        case .done: return
                        case .notThere: break
                        case .taken: hasTaken = true
                        }
                    }
                }
                throw Self.elsewhere
            } catch {
                refuse(connection.value, error, to: source)
            }
        }
    }

    /// The number of times that the owner of a room is looked for: it may change meanwhile.
    private static let searches = 3

    /// Returns the server that has the room; nil if the device has got its answer. Without the database all
    /// servers are asked, so that a device that has lost its connection gets back into an open
    /// room.
    private func place(
        of entry: RoomHost.Entry, _ source: Source, _ connection: LoopBound<WebSocketConnection>
    ) async throws -> RoomPlace? {
        guard case .client(let client, _) = source else { return try await rooms.enter(entry.room) }
        let request = request(entry, client, 0)
        if tunnels.isWithoutDatabase, await passAnywhere(request, connection) { return nil }
        do {
            return try await rooms.enter(entry.room)
        } catch {
            if await passAnywhere(request, connection) { return nil }
            throw error
        }
    }

    /// Brings the device to the server that has its room, whichever that is. Returns false if none says so.
    private func passAnywhere(
        _ request: RoomTunnels.Request, _ connection: LoopBound<WebSocketConnection>
    ) async -> Bool {
        switch await tunnels.openAnywhere(request, on: rooms.loop(of: request.claim.room)) {
        case .open(let link): return connection.value.relay(to: link)
        case .answered(let response):
            connection.value.refuse(response)
            return true
        case .notOwner, .mayTake, .unreachable, nil: return false
        }
    }

    private func request(
        _ entry: RoomHost.Entry, _ client: String, _ term: Int32
    ) -> RoomTunnels.Request {
        RoomTunnels.Request(
            claim: PeerAssertion.SocketClaim(
                room: entry.room, user: entry.user, tokenVersion: entry.tokenVersion, term: term,
                version: entry.version == .two ? 2 : 1, client: client),
            resuming: entry.position.map { ($0.epoch, $0.since) })
    }

    private func joinHere(
        _ entry: RoomHost.Entry, _ connection: LoopBound<WebSocketConnection>
    ) async throws {
        do throws(RoomHost.JoinError) {
            try join(entry, connection.value)
        } catch {
            if error == .unknownRoom, try await rooms.wasThere(entry.room, of: entry.user) {
                throw Self.closed
            }
            throw Self.problem(for: error)
        }
    }

    /// Has the balancer bring the device to the owner of its room, if it does that (`MISPLACED`). Returns
    /// false if it does not, or if the owner may be gone.
    private func redirect(
        _ query: String, to owner: Identifier, _ connection: LoopBound<WebSocketConnection>
    ) async -> Bool {
        guard application.configuration.misplaced == .xAccel,
            let address = await tunnels.authority(of: owner)
        else { return false }
        connection.value.refuse(
            HTTPResponse(
                status: 200, headers: ["X-Accel-Redirect": "/owner/\(address)\(Routes.socket)?\(query)"]))
        return true
    }

    /// The result of bringing a device to the owner of its room.
    private enum Passage {
        /// The device has its answer.
        case done
        /// The owner has to be looked for once more.
        case notThere
        /// This server has taken the room over.
        case taken
    }

    /// Brings the device to the owner of its room, or takes the room over from an owner that is gone.
    private func pass(
        _ request: RoomTunnels.Request, to owner: Identifier, _ knock: UInt64,
        _ connection: LoopBound<WebSocketConnection>
    ) async throws -> Passage {
        let (room, term) = (request.claim.room, request.claim.term)
        switch await tunnels.open(request, to: owner, on: rooms.loop(of: room)) {
        case .open(let link): return connection.value.relay(to: link) ? .done : .notThere
        case .answered(let response):
            connection.value.refuse(response)
            return .done
        case .notOwner: return .notThere
        case .mayTake(let ground):
            guard try await rooms.take(room, from: owner, term: term, on: ground) else { return .notThere }
            tunnels.metrics.tookRoom()
            return .taken
        case .unreachable(let wait):
            tunnels.metrics.knocked(at: room, knock)
            throw APIError(
                .unavailable, "The server that has this room does not answer. Try again in a moment.",
                headers: ["Retry-After": "\(max(1, Int(wait.components.seconds)))"])
        }
    }
}

extension RoomPeer: WebSocketHandler {}

extension WebSocketConnection: FrameSink {
    package func close(_ code: RoomClose, reason: String) {
        close(CloseCode(rawValue: code.rawValue), reason: reason)
    }
}
