import Codecs
package import Contract
import Database
import HTTP1
package import HTTPServer
import Logging
package import Reactor
import Synchronization
import Tracing

/// The way of a device to a room that another server owns: a WebSocket to the owner, whose bytes are passed
/// on unparsed.
package struct RoomTunnels: Sendable {
    /// The path of the call at the owner.
    package static let path = "/cluster/socket"
    /// The header with the id of the device's request.
    package static let idHeader = "X-Request-Id"
    /// The time in which the owner has to answer.
    private static let timeout = Duration.seconds(2)
    /// The longest wait for the lease of this server.
    private static let patience = Duration.seconds(2)

    /// The device that wants to enter a room.
    package struct Request: Sendable {
        package var claim: PeerAssertion.SocketClaim
        /// The position at which its earlier connection ended.
        package var resuming: (epoch: String, since: Int64)?
        package var options: SocketOptions
        /// The language in which the owner refuses.
        package var language: Language
        /// The id of the device's request, which the owner's refusal names.
        package var id: String

        package init(
            claim: PeerAssertion.SocketClaim, resuming: (epoch: String, since: Int64)? = nil,
            options: SocketOptions = SocketOptions(), language: Language, id: String
        ) {
            self.claim = claim
            self.resuming = resuming
            self.options = options
            self.language = language
            self.id = id
        }
    }

    package typealias Outcome = TunnelOutcome<OpenLink>

    package let metrics = ClusterMetrics()
    private let service: ClusterService
    private let talk: PeerTalk
    /// The descriptors of the connections to owners.
    private let descriptors = DescriptorBudget.Share(of: .process, for: .tunnels)

    package init(_ service: ClusterService, talk: PeerTalk) {
        self.service = service
        self.talk = talk
    }

    /// Opens a tunnel to the owner of a room, from a loop.
    package func open(_ request: Request, to owner: Identifier, on loop: EventLoop) async -> Outcome {
        guard let descriptor = descriptors.lease() else {
            metrics.count(.full)
            return .full
        }
        let span = Span.child("tunnel", .client, [(name: "letsswitch.server", value: .text("\(owner)"))])
        // The spans of the owner become children of the tunnel.
        let outcome = await Span.$current.withValue(span ?? Span.current) {
            await ask(owner, request, descriptor, on: loop)
        }
        metrics.count(outcome.kind)
        span?.end(
            [(name: "letsswitch.outcome", value: .text(outcome.kind.rawValue))],
            fault: [.gone, .unreachable].contains(outcome.kind) ? outcome.kind.rawValue : nil)
        return outcome
    }

    private func ask(
        _ owner: Identifier, _ request: Request, _ descriptor: DescriptorBudget.Lease, on loop: EventLoop
    ) async -> Outcome {
        await service.ask(owner) { address in
            let result = await talk.send(
                .socket, handshake(request), about: request.claim, to: owner, at: address, on: loop,
                timeout: Self.timeout, descriptor: descriptor)
            switch result {
            case .failure(let error):
                Log.debug("tunnel not opened", ["server": owner, "error": "\(error)"])
                if error == .outOfDescriptors { return .full }
                return .noAnswer(refused: error == .refused)
            case .success(let (assertion, answer)):
                if let outcome = outcome(answer, of: owner, to: assertion) { return outcome }
                Log.debug("tunnel not opened", ["server": owner, "status": answer.status])
                return .noAnswer(refused: false)
            }
        }
    }

    /// Whether the database was away at the last renewal of the lease, and may not say whose a room is.
    package var isWithoutDatabase: Bool { service.isOutage.load(ordering: .relaxed) }

    /// Asks all servers that the last renewal found to let the device in, whichever has the room: the claim
    /// has term 0. Returns nil if none has. A server that does not answer does not delay a device that
    /// another server lets in.
    package func openAnywhere(_ request: Request, on loop: EventLoop) async -> Outcome? {
        await withTaskGroup(of: Outcome?.self) { group in
            for (peer, entry) in service.peers.all {
                guard let address = entry.address else { continue }
                group.addTask { await ask(peer, at: address, request, on: loop) }
            }
            var found: Outcome?
            for await outcome in group {
                switch outcome {
                case .open(let link):
                    if case .open = found { link.close() } else { found = outcome }
                    group.cancelAll()
                case .answered(let response):
                    if found == nil { found = outcome }
                    // A server that stops says so before it looks for the room.
                    if response.status != 503 { group.cancelAll() }
                case .notOwner, .mayTake, .unreachable, .full, nil: break
                }
            }
            return found
        }
    }

    /// Asks a server to let the device in. Returns nil if it does not have the room, or does not answer.
    private func ask(
        _ peer: Identifier, at address: String, _ request: Request, on loop: EventLoop
    ) async -> Outcome? {
        guard let descriptor = descriptors.lease() else { return .full }
        let result = await talk.send(
            .socket, handshake(request), about: request.claim, to: peer, at: address, on: loop,
            timeout: Self.timeout, descriptor: descriptor)
        guard case .success(let (assertion, answer)) = result else { return nil }
        switch outcome(answer, of: peer, to: assertion) {
        case .open(let link): return .open(link)
        case .answered(let response): return .answered(response)
        case .notOwner, .noAnswer, .full, nil: return nil
        }
    }

    /// Waits until this server may rely on its lease, or for two seconds.
    package func untilCertain() async {
        await service.waitUntilCertain(atMost: Self.patience)
    }

    private func handshake(_ request: Request) -> PeerRequest {
        var random = SystemRandomNumberGenerator()
        let headers: HTTPHeaders = [
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": Base64.encode((0..<16).map { _ in random.next() }),
            "Accept-Language": request.language.rawValue, Self.idHeader: request.id,
        ]
        let query = [
            ("epoch", request.resuming?.epoch), ("since", request.resuming.map { String($0.since) }),
        ]
        // A server of an earlier release ignores the options.
        let target = Routes.query(Self.path, query + request.options.query)
        return PeerRequest(method: .get, target: target, headers: headers)
    }

    /// Returns the meaning of an answer; nil for one that is not the owner's.
    private func outcome(
        _ answer: PeerResponse, of owner: Identifier, to assertion: PeerAssertion
    ) -> OwnerAnswer<OpenLink>? {
        guard talk.isSigned(answer, by: owner, to: assertion) else {
            answer.link?.close()
            return nil
        }
        if let link = answer.link { return .open(link) }
        if answer.status == 421 { return .notOwner }
        var headers = HTTPHeaders()
        for field in answer.headers.fields where Self.passed.contains(field.name.lowercased()) {
            headers.append(field.name, field.value)
        }
        return .answered(HTTPResponse(status: answer.status, headers: headers, body: answer.body))
    }

    /// The fields of the owner's refusal that the client gets.
    private static let passed: Set<String> = [
        "content-type", "content-language", "vary", "retry-after", "www-authenticate",
    ]
}
