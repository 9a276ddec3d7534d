package import Codecs
import Contract
import Crypto
import Database
import HTTP1
import HTTPServer
import Reactor
import Synchronization

/// The refusals of sockets that come again at once, as from an app that reconnects without a pause.
///
/// From the second refusal within a second for one address and room, the answer is held for about a second.
/// This is load shedding: only refusals are held, accepted clients never wait. A refusal that cannot change
/// so soon is remembered, which saves looking up the token and the room again.
package final class SocketErrorMemory: Sendable {
    /// The sender of a request for a socket, and the room that it asks for.
    struct Place: Hashable, Sendable {
        let client: ClientAddress
        let room: Identifier?
    }

    /// A request for a socket, with what it signs in by.
    struct Attempt: Hashable, Sendable {
        let place: Place
        /// The hash of whatever may hold a token; nil if there is nothing. Cookies are not
        /// remembered: a browser pauses by itself.
        let credentials: [UInt8]?
    }

    private struct Known {
        let refusal: APIError
        /// The end of the memory, in monotonic nanoseconds.
        let until: UInt64
    }

    /// The most answers that are held at a time; those beyond are sent at once.
    static var mostHeld: Int { 1_000 }
    /// The most refusals that are remembered; those beyond are looked up again.
    static var mostKnown: Int { 4_096 }
    private static var second: UInt64 { 1_000_000_000 }

    private let lately = RateLimiter<Place>(1, per: .seconds(1), burst: 1, places: 16_384)
    private struct Memory {
        var refusals: [Attempt: Known] = [:]
        /// The instant from which a full memory is searched for what has ended.
        var nextSweep: UInt64 = 0
    }

    private let memory = Lock(Memory())
    private let holding = Atomic<Int>(0)
    private let held = Atomic<Int>(0)
    private let remembered = Atomic<Int>(0)
    private let now: @Sendable () -> UInt64
    private let pause: @Sendable () async throws -> Void

    /// Creates an empty memory. `pause` lasts for about a second, and throws when its task is cancelled.
    init(
        now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() },
        pause: @escaping @Sendable () async throws -> Void = {
            try await ContinuousClock().sleep(for: .milliseconds(Int64.random(in: 1_000...1_250)))
        }
    ) {
        self.now = now
        self.pause = pause
    }

    package var figures: [Figure] {
        [
            Figure(
                "socket_refusals_held_total", "Refusals of sockets that were held for about a second.",
                held.load(ordering: .relaxed)),
            Figure(
                "socket_refusals_remembered_total", "Refusals of sockets for which nothing was looked up.",
                remembered.load(ordering: .relaxed)),
        ]
    }

    /// Returns the refusal that a request gets without being looked at, if it is known.
    func known(for request: HTTPRequest) -> APIError? { known(for: Self.attempt(request)) }

    /// Remembers a refusal of a request that cannot change: that of a token that is not valid for five
    /// seconds, and that of a room that has closed for a minute.
    func note(_ error: any Error, for request: HTTPRequest) { note(error, for: Self.attempt(request)) }

    /// Whether the answer to a request may be sent at once.
    func goesAtOnce(_ status: Int, for request: HTTPRequest) -> Bool {
        goesAtOnce(status, for: Self.place(request))
    }

    /// Waits until the answer to a request may be sent.
    func hold(_ status: Int, for request: HTTPRequest) async { await hold(status, for: Self.place(request)) }

    private static func place(_ request: HTTPRequest) -> Place {
        Place(client: request.client, room: request.query.first("id").flatMap { Identifier($0) })
    }

    private static func attempt(_ request: HTTPRequest) -> Attempt {
        let headers = request.head.headers
        // A ticket is checked without looking anything up.
        let inQuery = request.query.all("token").filter { !Ticket.isTicket($0) }
        let inProtocols = headers.all("Sec-WebSocket-Protocol").filter {
            $0.contains(Routes.tokenSubprotocol)
        }
        let tokens = headers.authorizations(SignIn.scheme) + inQuery + inProtocols
        let text = tokens.joined(separator: "\n")
        return Attempt(
            place: place(request), credentials: tokens.isEmpty ? nil : Digest.sha256(Array(text.utf8)))
    }

    func known(for attempt: Attempt) -> APIError? {
        let refusal = memory.withLock {
            $0.refusals[attempt].flatMap { now() < $0.until ? $0.refusal : nil }
        }
        if refusal != nil { remembered.wrappingAdd(1, ordering: .relaxed) }
        return refusal
    }

    func note(_ error: any Error, for attempt: Attempt) {
        guard attempt.credentials != nil, let refusal = error as? APIError else { return }
        let seconds: UInt64
        switch refusal.problem.status {
        case 401: seconds = 5
        case 410: seconds = 60
        default: return
        }
        let now = now()
        memory.withLock { memory in
            if let old = memory.refusals[attempt], now < old.until { return }
            if memory.refusals.count >= Self.mostKnown, now >= memory.nextSweep {
                memory.refusals = memory.refusals.filter { now < $0.value.until }
                memory.nextSweep = now + Self.second
            }
            if memory.refusals.count >= Self.mostKnown { return }
            memory.refusals[attempt] = Known(refusal: refusal, until: now + seconds * Self.second)
        }
    }

    /// Whether an answer may be sent at once: it is the first refusal within a second, or none that a client
    /// meets again and again by its own fault.
    func goesAtOnce(_ status: Int, for place: Place) -> Bool {
        guard [401, 403, 404, 410, 429].contains(status) else { return true }
        return lately.take(place, now: now()).retryAfter == nil
    }

    func hold(_ status: Int, for place: Place) async {
        if goesAtOnce(status, for: place) { return }
        defer { holding.wrappingSubtract(1, ordering: .relaxed) }
        guard holding.wrappingAdd(1, ordering: .relaxed).newValue <= Self.mostHeld else { return }
        held.wrappingAdd(1, ordering: .relaxed)
        try? await pause()
    }
}
