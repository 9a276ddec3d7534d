import Codecs
package import Contract
package import HTTP1
package import HTTPServer
import Logging
import Reactor

/// The calls between servers. Each begins with an assertion that another server has signed; without one it is
/// no request of anybody.
package struct InternalAPI: Sendable {
    /// The result of checking a request.
    package enum Admission: Sendable {
        case admitted(PeerAssertion)
        case refused(HTTPResponse)
    }

    /// The limits that a request of another server lifts.
    private enum Limit: Hashable, CaseIterable { case address, body }

    private struct State {
        var nonces = NonceMemory()
        /// The numbers that have lifted a limit. They are remembered apart from those that were admitted: a
        /// captured header can come with a path that admits nothing.
        var lifts = Dictionary(uniqueKeysWithValues: Limit.allCases.map { ($0, NonceMemory()) })
        var complaints = RateMeter()
    }

    /// The page of this build: the hash of its files, and all of them in one sequence of bytes.
    package typealias Page = (hash: String, bytes: [UInt8])

    private let talk: PeerTalk
    private let known: KnownTerms
    private let page: Page?
    private let state = Lock(State())

    /// Creates the calls. `stored` returns the terms of rooms by the database, and `open` those of the rooms
    /// that are open here. `page` is nil if this server has none.
    package init(
        talk: PeerTalk, stored: @escaping @Sendable ([Identifier]) async throws -> [Identifier: Int32],
        open: @escaping @Sendable ([Identifier]) async -> [Identifier: Int32], page: Page? = nil
    ) {
        self.talk = talk
        self.page = page
        known = KnownTerms(stored: stored, open: open)
    }

    package func add(to router: inout Router) {
        router.immediate(.get, "/cluster/probe") { self.probe($0) }
        router.task(.post, "/cluster/reach", body: PeerTalk.maximumReachBytes) { await self.reach($0) }
        router.task(.post, "/cluster/terms", body: PeerTalk.maximumListBytes) { await self.terms($0) }
        router.immediate(.post, PeerTalk.pagePath, body: PeerTalk.maximumPageRequestBytes) { self.page($0) }
    }

    /// Checks the assertion of a request. It is accepted once. A request for another incarnation, such as the
    /// process before this one, gets 421; whatever else is wrong gets 403.
    package func admit(_ request: HTTPRequest, for purpose: PeerAssertion.Purpose) -> Admission {
        let now = talk.now()
        guard let header = request.head.headers.first(PeerAssertion.header),
            let assertion = PeerAssertion(header, key: talk.key)
        else { return refuse(request, "it is not signed with the key of this server") }
        guard assertion.purpose == purpose, assertion.isAbout(request.body) else {
            return refuse(request, "it was signed for something else")
        }
        guard assertion.isCurrent(at: now) else {
            return refuse(request, "it is too old, or a clock is wrong")
        }
        switch state.withLock({ $0.nonces.insert(assertion.nonce, madeAt: assertion.at, at: now) }) {
        case .isNew: break
        case .isKnown, .isTooOld: return refuse(request, "it came before")
        case .isFull: return .refused(HTTPResponse(status: 503, headers: ["Retry-After": "1"]))
        }
        // The sender of a probe asks who is here, and may not know it.
        guard purpose == .probe || assertion.to == talk.me else {
            return .refused(HTTPResponse(status: 421))
        }
        return .admitted(assertion)
    }

    /// Whether a request is signed by another server. Its number is not looked at, so it lifts no limit.
    package func isOfPeer(_ head: RequestHead) -> Bool { assertion(of: head) != nil }

    /// Lifts the limits of an address for a request of another server, which enters for many clients: these
    /// limits are for clients, and count where they enter. Returns false for a number that has lifted them
    /// before: a header that was captured lifts nothing.
    package func liftsAddressLimits(_ head: RequestHead) -> Bool { lift(.address, for: head) }

    /// Returns the most bytes of a request's body, if it is less than its route permits: rooms are large, and
    /// only other servers may send them. A number lifts the limit once. `pattern` is that of the route: the
    /// path may have escapes.
    package func bodyLimit(_ head: RequestHead, _ pattern: String) -> Int? {
        pattern == PeerTalk.roomsPath && !lift(.body, for: head) ? 0 : nil
    }

    private func lift(_ limit: Limit, for head: RequestHead) -> Bool {
        guard let assertion = assertion(of: head) else { return false }
        let now = talk.now()
        return state.withLock { state in
            state.lifts[limit]?.insert(assertion.nonce, madeAt: assertion.at, at: now) == .isNew
        }
    }

    /// Returns what another server has signed for this one, lately; nil for any other request.
    private func assertion(of head: RequestHead) -> PeerAssertion? {
        guard head.path.hasPrefix("/cluster/"), let header = head.headers.first(PeerAssertion.header),
            let assertion = PeerAssertion(header, key: talk.key), assertion.isCurrent(at: talk.now()),
            assertion.purpose == .probe || assertion.to == talk.me
        else { return nil }
        return assertion
    }

    /// Returns the headers of an answer to a request that was admitted, signed.
    package func answer(to assertion: PeerAssertion, body: [UInt8] = []) -> (name: String, value: String) {
        (PeerAssertion.header, assertion.answer(by: talk.me, body: body, key: talk.key))
    }

    private func refuse(_ request: HTTPRequest, _ reason: String) -> Admission {
        let now = Monotonic.nanoseconds()
        if state.withLock({ $0.complaints.take(of: .onceAMinute, at: now) }) {
            Log.warning(
                "a request in the name of another server was refused: CLUSTER_KEY may differ",
                ["path": request.head.path, "reason": reason])
        }
        return .refused(HTTPResponse(status: 403))
    }

    private func probe(_ request: HTTPRequest) -> HTTPResponse {
        switch admit(request, for: .probe) {
        case .refused(let response): response
        case .admitted(let assertion):
            json(
                ["incarnation": "\(talk.me)", "clockAheadMicroseconds": .integer(clockAhead)], to: assertion)
        }
    }

    /// The time by which the clock of this machine is ahead of the database's.
    private var clockAhead: Int64 { WallClock.microseconds() - talk.now().microseconds }

    private func reach(_ request: HTTPRequest) async -> HTTPResponse {
        switch admit(request, for: .reach) {
        case .refused(let response): return response
        case .admitted(let assertion):
            guard let body = try? JSONValue.parse(request.body), let address = body["address"]?.string,
                let incarnation = body["incarnation"]?.string.flatMap({ Identifier($0) })
            else { return HTTPResponse(status: 400) }
            let probe = await talk.probe(incarnation, at: address)
            if case .notAsked = probe { return HTTPResponse(status: 503, headers: ["Retry-After": "1"]) }
            return json(["reached": .bool(probe == .reached)], to: assertion)
        }
    }

    private func terms(_ request: HTTPRequest) async -> HTTPResponse {
        switch admit(request, for: .terms) {
        case .refused(let response): return response
        case .admitted(let assertion):
            guard let list = (try? JSONValue.parse(request.body))?["rooms"]?.array,
                list.count <= PeerTalk.maximumRooms
            else { return HTTPResponse(status: 400) }
            let known = await known.terms(of: list.compactMap { $0.string.flatMap { Identifier($0) } })
            let terms = known.map { (name: "\($0.key)", value: JSONValue.integer($0.value)) }
            return json(["terms": .members(terms)], to: assertion)
        }
    }

    /// Returns the page, or its hash if the request names none.
    private func page(_ request: HTTPRequest) -> HTTPResponse {
        switch admit(request, for: .page) {
        case .refused(let response): return response
        case .admitted(let assertion):
            guard let body = try? JSONValue.parse(request.body) else { return HTTPResponse(status: 400) }
            guard let wanted = body["hash"]?.string else {
                return json(["hash": .string(page?.hash ?? "")], to: assertion)
            }
            guard let page, page.hash == wanted else { return HTTPResponse(status: 404) }
            let header = answer(to: assertion, body: page.bytes)
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/octet-stream", header.name: header.value],
                body: page.bytes)
        }
    }

    /// Returns a signed answer to a request that was admitted.
    package func json(_ value: JSONValue, to assertion: PeerAssertion) -> HTTPResponse {
        let body = value.bytes
        let header = answer(to: assertion, body: body)
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json", header.name: header.value], body: body)
    }
}
