package import Contract
import HTTP1
import HTTPServer
package import Reactor
import Tracing

/// The questions of this server to others, signed, and their answers, checked.
package struct PeerTalk: Sendable {
    /// The time for one question. A process that is paused for less is no process that is gone.
    package static let timeout = Duration.seconds(1)
    /// The most addresses of one name that are tried.
    private static let maximumAddresses = 4
    /// The most rooms in one question for terms.
    static let maximumRooms = 1000
    /// The most bytes of a list of rooms, each of which takes 39.
    package static let maximumListBytes = 40 * 1024
    /// The most bytes of a question about an address.
    static let maximumReachBytes = 4 * 1024

    package let me: Identifier
    package let key: PeerKey
    /// The clock of the database.
    package let now: @Sendable () -> Timestamp
    private let loop: EventLoop
    /// The descriptors of questions; tunnels have their own.
    private let descriptors: DescriptorBudget.Share
    /// The budget from which look-ups of names take theirs.
    private let budget: DescriptorBudget

    /// Creates it. Questions are asked from `loop`.
    package init(
        me: Identifier, key: PeerKey, now: @escaping @Sendable () -> Timestamp, on loop: EventLoop,
        descriptors: DescriptorBudget = .process
    ) {
        self.descriptors = DescriptorBudget.Share(of: descriptors, for: .calls)
        budget = descriptors
        self.me = me
        self.key = key
        self.now = now
        self.loop = loop
    }

    /// The answer to the question who is at an address.
    package enum Probe: Equatable, Sendable {
        /// The expected incarnation.
        case reached
        /// Another incarnation, with the same key.
        case stranger(Identifier)
        /// A server that does not accept what this one signs.
        case rejected
        /// A process that gives no signed answer.
        case unsigned
        case refused
        case noAnswer(String)
        /// This server could not ask, for want of a descriptor, which says nothing of the other one.
        case notAsked(String)

        /// The reason, for people, for which the expected server was not reached; nil if it was.
        package var reason: String? {
            switch self {
            case .reached: nil
            case .stranger: "another server answers there"
            case .rejected: "a server answers there that has another CLUSTER_KEY, or whose time is wrong"
            case .unsigned: "no server of this version answers there"
            case .refused: "nothing listens there"
            case .noAnswer(let failure), .notAsked(let failure): failure
            }
        }
    }

    /// Asks who is at an address.
    package func probe(_ expected: Identifier, at address: String) async -> Probe {
        await look(for: expected, at: address).probe
    }

    /// Asks who is at an address, and how far the clock of its machine is ahead of the database's; nil where
    /// the server does not say.
    func look(
        for expected: Identifier, at address: String
    ) async -> (probe: Probe, clockAhead: Duration?) {
        switch await ask(.probe, .get, "/cluster/probe", of: expected, at: address) {
        case .failure(.refused): return (.refused, nil)
        case .failure(.outOfDescriptors):
            return (.notAsked(PeerLinkError.outOfDescriptors.description), nil)
        case .failure(let error): return (.noAnswer(error.description), nil)
        case .success(let (assertion, answer)):
            if answer.status == 403 { return (.rejected, nil) }
            guard answer.status == 200, let json = try? JSONValue.parse(answer.body),
                let found = json["incarnation"]?.string.flatMap({ Identifier($0) }),
                isSigned(answer, by: found, to: assertion)
            else { return (.unsigned, nil) }
            return (
                found == expected ? .reached : .stranger(found),
                json["clockAheadMicroseconds"]?.int.map { .microseconds($0) }
            )
        }
    }

    /// Asks a peer whether it reaches a third server.
    package func reach(
        _ incarnation: Identifier, at address: String, from peer: Identifier, at peerAddress: String
    ) async -> TakeOver.Report {
        let body: JSONValue = ["incarnation": "\(incarnation)", "address": .string(address)]
        // The peer itself waits for an answer.
        let result = await ask(
            .reach, .post, "/cluster/reach", of: peer, at: peerAddress, body: body.bytes,
            timeout: Self.timeout * 2)
        guard case .success(let (assertion, answer)) = result else { return .silent }
        // A peer with another key is there, and cannot say more.
        if answer.status == 403 { return .notReached }
        guard answer.status == 200, isSigned(answer, by: peer, to: assertion),
            let reached = (try? JSONValue.parse(answer.body))?["reached"]?.bool
        else { return .silent }
        return reached ? .reached : .notReached
    }

    /// Asks a peer for the terms of rooms, a part after the other; nil if it does not answer.
    package func terms(
        of rooms: [Identifier], from peer: Identifier, at address: String
    ) async -> [Identifier: Int32]? {
        var terms: [Identifier: Int32] = [:]
        var rest = rooms[...]
        repeat {
            let part = rest.prefix(Self.maximumRooms)
            rest = rest.dropFirst(part.count)
            let result = await ask(
                .terms, .post, "/cluster/terms", of: peer, at: address,
                body: Self.list(part).bytes)
            guard case .success(let (assertion, answer)) = result, answer.status == 200,
                isSigned(answer, by: peer, to: assertion),
                case .object(let members)? = (try? JSONValue.parse(answer.body))?["terms"]
            else { return nil }
            for member in members {
                if let room = Identifier(member.name),
                    let term = member.value.int.flatMap({ Int32(exactly: $0) })
                {
                    terms[room] = term
                }
            }
        } while !rest.isEmpty
        return terms
    }

    /// The answer to a request, and the assertion in the request.
    typealias Answered = (assertion: PeerAssertion, answer: PeerResponse)

    /// Sends a signed request from a loop to the server at an address, which is a URL. Its name may have
    /// several addresses: the first that gives any answer is the server's. The error is `refused` only if
    /// each address refused the connection.
    func send(
        _ purpose: PeerAssertion.Purpose, _ request: PeerRequest,
        about socket: PeerAssertion.SocketClaim? = nil,
        to incarnation: Identifier, at address: String, on loop: EventLoop, timeout: Duration,
        descriptor: DescriptorBudget.Lease? = nil
    ) async -> Result<Answered, PeerLinkError> {
        guard let url = try? WebURL(address), !url.isSecure else {
            return .failure(.noAddress("\(address) is no http URL"))
        }
        let addresses: [SocketAddress]
        do throws(Resolver.Failure) {
            addresses = try await Resolver.resolve(
                url.host, port: url.port, on: loop, timeout: timeout, descriptors: budget)
        } catch {
            // The lack of descriptors says nothing of the other server.
            return .failure(error == .outOfDescriptors ? .outOfDescriptors : .noAddress(error.description))
        }
        var failure: PeerLinkError?
        for address in addresses.prefix(Self.maximumAddresses) {
            // Each attempt has a number of its own: one that arrived twice would be refused.
            var random = SystemRandomNumberGenerator()
            let assertion = PeerAssertion(
                purpose, from: me, to: incarnation, nonce: PeerNonce(using: &random), at: now(),
                body: request.body, socket: socket)
            var request = request
            request.host = url.authority
            request.headers.append(PeerAssertion.header, assertion.signed(with: key))
            if let trace = Span.traceparent { request.headers.append(TraceContext.field, trace) }
            do throws(PeerLinkError) {
                let answer = try await PeerLink.send(
                    request, to: address, on: loop, timeout: timeout, descriptor: descriptor)
                return .success((assertion, answer))
            } catch {
                if error == .outOfDescriptors { return .failure(error) }
                if failure == nil || error != .refused { failure = error }
            }
        }
        return .failure(failure ?? .noAddress("\(url.host) has no address"))
    }

    func ask(
        _ purpose: PeerAssertion.Purpose, _ method: HTTPMethod, _ target: String, of incarnation: Identifier,
        at address: String, body: [UInt8] = [], type: String = "application/json",
        timeout: Duration = timeout,
        maximumAnswer: Int = PeerRequest.maximumAnswer
    ) async -> Result<Answered, PeerLinkError> {
        let headers: HTTPHeaders = body.isEmpty ? [:] : ["Content-Type": type]
        var request = PeerRequest(method: method, target: target, headers: headers, body: body)
        request.maximumAnswer = maximumAnswer
        guard let descriptor = descriptors.lease() else { return .failure(.outOfDescriptors) }
        let result = await send(
            purpose, request, to: incarnation, at: address, on: loop, timeout: timeout, descriptor: descriptor
        )
        if case .success(let (_, answer)) = result { answer.link?.close() }
        return result
    }

    /// Whether an answer to an assertion was signed by the server that it is for.
    func isSigned(_ answer: PeerResponse, by peer: Identifier, to assertion: PeerAssertion) -> Bool {
        guard let header = answer.headers.first(PeerAssertion.header) else { return false }
        return assertion.isAnswered(by: peer, header, body: answer.body, key: key)
    }
}
