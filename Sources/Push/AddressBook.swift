import Contract
import OutboundHTTP
package import Reactor

/// Finds the addresses of hosts, off the loops. Who asks for a name that is being looked up waits with the
/// first.
package actor AddressBook {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case unknown(String)
        /// The host is an address inside of the network, or its name stands for one, or for none at all.
        /// Which of these is not said: it would tell how the network is made.
        case notPublic

        package var description: String {
            switch self {
            case .unknown(let reason): "the host's name has no address: \(reason)"
            case .notPublic: "the host has no address of the public Internet"
            }
        }
    }

    /// Asks the name service for a host's addresses. It calls what it is given when the question costs
    /// nothing any more, which may be long after it gave up waiting for an answer.
    package typealias Service =
        @Sendable (String, UInt16, _ over: @escaping @Sendable () -> Void) async throws(Resolver.Failure) ->
        [SocketAddress]

    private typealias Answer = Result<[SocketAddress], Resolver.Failure>

    private struct Entry {
        let answer: Answer
        /// In nanoseconds.
        let until: UInt64
    }

    private let service: Service
    private let allowsPrivate: Bool
    private let now: @Sendable () -> UInt64
    private static let capacity = 10_000

    /// By name, what was found, or that nothing was. What was found stays, after its time too, until another
    /// answer takes its place.
    private var known: [String: Entry] = [:]
    private var places = LookUpPlaces()
    private var zones = SilentZones()
    /// Questions that hold a place, and those that nobody waits for any more, though a thread does.
    private var underWay: Set<UInt64> = []
    private var overdue: Set<UInt64> = []
    /// The latest number given to a question, or to somebody who waits for its answer or for a place to ask.
    private var lastTurn: UInt64 = 0
    private var waiting: [String: [UInt64: CheckedContinuation<Answer?, Never>]] = [:]
    private var queue: [UInt64: CheckedContinuation<Bool, Never>] = [:]

    var waitingCount: Int { waiting.values.reduce(queue.count) { $0 + $1.count } }

    package init(on loop: EventLoop, allowsPrivate: Bool) {
        self.init(allowsPrivate: allowsPrivate) { host, port, over throws(Resolver.Failure) in
            try await Resolver.resolve(host, port: port, on: loop, over: over)
        }
    }

    package init(
        allowsPrivate: Bool, now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() },
        asking service: @escaping Service
    ) {
        self.service = service
        self.allowsPrivate = allowsPrivate
        self.now = now
    }

    /// Where to connect to for that URL, and nowhere else; nil where its host is an address, which may be
    /// connected to.
    func pin(for url: WebURL) async throws(Failure) -> OutboundRequest.Pin? {
        let found = try await addresses(of: url.host, port: url.port)
        guard SocketAddress(numeric: url.host, port: url.port) == nil else { return nil }
        return OutboundRequest.Pin(host: url.host, port: url.port, addresses: found)
    }

    /// There was no connection to what was found for that name: it is looked up anew.
    func distrust(_ host: String) {
        guard let found = known[host] else { return }
        known[host] = Entry(answer: found.answer, until: 0)
    }

    /// The addresses that may be connected to, at least one.
    package func addresses(of host: String, port: UInt16) async throws(Failure) -> [String] {
        let answer: Answer?
        if let address = SocketAddress(numeric: host, port: port) {
            answer = .success([address])
        } else {
            answer = await lookUp(host, port)
        }
        switch answer {
        case .success(let all):
            let allowed = allowed(all)
            if allowed.isEmpty { throw allowsPrivate ? .unknown("none was found") : .notPublic }
            return allowed.map(\.host)
        case .failure(let failure): throw allowsPrivate ? .unknown("\(failure)") : .notPublic
        case nil: throw .unknown("nobody waits for it any more")
        }
    }

    private func allowed(_ addresses: [SocketAddress]) -> [SocketAddress] {
        addresses.filter { allowsPrivate || AddressPolicy.isPublic($0.addressBytes) }
    }

    /// Nil where the task is cancelled.
    private func lookUp(_ host: String, _ port: UInt16) async -> Answer? {
        while !Task.isCancelled {
            if let found = known[host], now() < found.until { return found.answer }
            guard waiting[host] != nil else { return await ask(host, port) }
            // Where the one who asks has been given up, somebody else asks.
            if let answer = await answer(for: host) { return answer }
        }
        return nil
    }

    private func ask(_ host: String, _ port: UInt16) async -> Answer? {
        waiting[host] = [:]
        let isProven = isProven(host)
        var answer: Answer?
        if !isProven, !zones.mayAsk(for: host, at: now()) {
            answer = .failure(.timedOut)
        } else if await takePlace(isProven) {
            let asked = await asked(host, port, isProven)
            remember(asked, of: host, wasProven: isProven)
            answer = asked
        }
        for continuation in (waiting.removeValue(forKey: host) ?? [:]).values {
            continuation.resume(returning: answer)
        }
        return answer
    }

    private func asked(_ host: String, _ port: UInt16, _ isProven: Bool) async -> Answer {
        let question = takeTurn()
        underWay.insert(question)
        let answer: Answer
        do throws(Resolver.Failure) {
            answer = .success(
                try await service(host, port) {
                    // Ends at once; nobody has to wait for it.
                    Task { await self.end(question, isProven) }
                })
        } catch {
            answer = .failure(error)
        }
        // Where too many threads hang already, the place is left when this one ends.
        if underWay.contains(question), overdue.count < LookUpPlaces.overdue {
            underWay.remove(question)
            overdue.insert(question)
            leavePlace(isProven)
        }
        return answer
    }

    private func end(_ question: UInt64, _ isProven: Bool) {
        if underWay.remove(question) != nil { leavePlace(isProven) } else { overdue.remove(question) }
    }

    /// Whether the latest answer for that name was of use.
    private func isProven(_ host: String) -> Bool {
        guard case .success(let addresses) = known[host]?.answer else { return false }
        return !allowed(addresses).isEmpty
    }

    private func remember(_ answer: Answer, of host: String, wasProven: Bool) {
        let instant = now()
        let isSilent = if case .failure(.timedOut) = answer { true } else { false }
        zones.note(host, isSilent: isSilent, at: instant)
        if known.count >= Self.capacity { known = known.filter { instant < $0.value.until } }
        if known.count >= Self.capacity { known = [:] }
        let seconds = freshSeconds(answer, wasProven: wasProven)
        known[host] = Entry(answer: answer, until: instant + seconds * 1_000_000_000)
    }

    /// Whoever connects is held to what was found, so that may stay for a while. A name that never gets an
    /// answer costs a place for seconds each time.
    private func freshSeconds(_ answer: Answer, wasProven: Bool) -> UInt64 {
        switch answer {
        case .success(let addresses): allowed(addresses).isEmpty ? 10 : 300
        case .failure(.timedOut): wasProven ? 10 : 60
        case .failure(.notFound): 10
        }
    }

    // Waiting.

    /// Nil where the one who asks has been given up, or this task is.
    private func answer(for host: String) async -> Answer? {
        let turn = takeTurn()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: nil) }
                waiting[host, default: [:]][turn] = continuation
            }
        } onCancel: {
            // Ends at once; nobody has to wait for it.
            Task { await self.giveUp(turn, of: host) }
        }
    }

    /// False where the task is cancelled.
    private func takePlace(_ isProven: Bool) async -> Bool {
        let turn = takeTurn()
        if places.take(turn, isProven) { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled, places.giveUp(turn) { return continuation.resume(returning: false) }
                queue[turn] = continuation
            }
        } onCancel: {
            Task { await self.giveUp(turn) }
        }
    }

    private func leavePlace(_ isProven: Bool) {
        guard let turn = places.leave(isProven) else { return }
        queue.removeValue(forKey: turn)?.resume(returning: true)
    }

    private func takeTurn() -> UInt64 {
        lastTurn += 1
        return lastTurn
    }

    private func giveUp(_ turn: UInt64, of host: String) {
        waiting[host]?.removeValue(forKey: turn)?.resume(returning: nil)
    }

    private func giveUp(_ turn: UInt64) {
        if places.giveUp(turn) { queue.removeValue(forKey: turn)?.resume(returning: false) }
    }
}
