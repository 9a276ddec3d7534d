package import Contract
package import OutboundHTTP
import Outbox
package import Reactor

/// Finds the addresses of hosts, off the loops. A caller that asks for a name that is being looked up waits
/// for that answer.
package actor AddressBook {
    package enum Failure: Error, Equatable {
        case unknown(String)
        /// The host is a private network address, or its name stands for one, or for none at all. The error
        /// does not say which of these, since that would tell how the network is made.
        case notPublic
        /// This process has no descriptor for the look-up.
        case outOfDescriptors

        /// The outcome of a delivery whose host's addresses were not found.
        var outcome: Outcome {
            switch self {
            case .unknown(let reason):
                .failed(Outcome.Failure(Text(.noAddress, Text(english: reason)), isHostFault: true))
            case .notPublic: .failed(Outcome.Failure(Text(.notPublic), isHostFault: true))
            case .outOfDescriptors: WebhookSink.outcome(of: .outOfDescriptors)
            }
        }
    }

    /// Asks the name service for a host's addresses. It calls `over` when the question costs nothing any
    /// more, which may be long after it gave up waiting for an answer.
    package typealias Service =
        @Sendable (String, UInt16, _ over: @escaping @Sendable () -> Void) async throws(Resolver.Failure) ->
        [SocketAddress]

    private typealias Answer = Result<[SocketAddress], Resolver.Failure>

    private struct Entry {
        let answer: Answer
        /// The end of the answer's freshness, in nanoseconds.
        let until: UInt64
    }

    private let service: Service
    private let allowsPrivate: Bool
    /// The proxy of requests; nil if receivers are connected to.
    private let proxy: OutboundProxy?
    private let now: @Sendable () -> UInt64
    private static let capacity = 10_000

    /// The latest answer for each name. It stays, after its time too, until another answer takes its place.
    private var known: [String: Entry] = [:]
    private var places = LookUpPlaces()
    private var zones = SilentZones()
    /// The questions that hold a place, and the overdue ones: a thread still waits for those, but no caller
    /// does.
    private var underWay: Set<UInt64> = []
    private var overdue: Set<UInt64> = []
    /// The latest number given to a question, or to a task that waits for its answer or for a place to ask.
    private var lastTurn: UInt64 = 0
    private var waiting: [String: [UInt64: CheckedContinuation<Answer?, Never>]] = [:]
    private var queue: [UInt64: CheckedContinuation<LookUpPlaces.Grant?, Never>] = [:]

    var waitingCount: Int { waiting.values.reduce(queue.count) { $0 + $1.count } }

    /// Creates an address book. A book that shares its descriptors with other parts must not wait for them.
    package init(
        on loop: EventLoop, allowsPrivate: Bool, proxy: OutboundProxy? = nil,
        descriptors: DescriptorBudget.Share? = nil, waitsForDescriptors: Bool = true
    ) {
        self.init(
            allowsPrivate: allowsPrivate, proxy: proxy, descriptors: descriptors,
            waitsForDescriptors: waitsForDescriptors
        ) {
            host, port, over throws(Resolver.Failure) in
            try await Resolver.resolve(host, port: port, on: loop, over: over)
        }
    }

    package init(
        allowsPrivate: Bool, proxy: OutboundProxy? = nil, descriptors: DescriptorBudget.Share? = nil,
        waitsForDescriptors: Bool = true,
        now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() },
        asking service: @escaping Service
    ) {
        self.service = service
        self.allowsPrivate = allowsPrivate
        self.proxy = proxy
        self.now = now
        places.descriptors = descriptors
        places.waitsForDescriptors = waitsForDescriptors
        descriptors?.whenRecovered { [weak self] in
            // The task ends at once; nothing has to wait for it.
            Task { await self?.admit() }
        }
    }

    /// Returns the only addresses that may be connected to for the URL, which are those of the proxy if there
    /// is one; nil if the host of the URL is an address that may be connected to.
    package func pin(for url: WebURL) async throws(Failure) -> OutboundRequest.Pin? {
        if let proxy, proxy.serves(url.host) {
            try await check(url, behind: proxy)
            return try await pin(to: proxy)
        }
        let found = try await addresses(of: url.host, port: url.port)
        guard SocketAddress(numeric: url.host, port: url.port) == nil else { return nil }
        return OutboundRequest.Pin(host: url.host, port: url.port, addresses: found)
    }

    /// Throws unless all addresses of the URL's host are public: the proxy may choose any. Each request looks
    /// the name up, since nothing pins the proxy to an earlier answer.
    private func check(_ url: WebURL, behind proxy: OutboundProxy) async throws(Failure) {
        if allowsPrivate { return }
        switch await lookUp(url.host, url.port, isFresh: true) {
        case .success(let all): if all.isEmpty || allowed(all).count < all.count { throw .notPublic }
        case .failure(.outOfDescriptors): throw .outOfDescriptors
        case .failure: if await proxy.publicNames?.canBeFound() ?? true { throw .notPublic }
        case nil: throw .unknown("no caller waits for it")
        }
    }

    /// Returns the pin to the proxy, whose address may be private.
    private func pin(to proxy: OutboundProxy) async throws(Failure) -> OutboundRequest.Pin {
        let (host, port) = (proxy.url.host, proxy.url.port)
        if SocketAddress(numeric: host, port: port) != nil { return proxy.pin(at: []) }
        switch await lookUp(host, port) {
        case .success(let all) where !all.isEmpty: return proxy.pin(at: all.map(\.host))
        case .failure(.outOfDescriptors): throw .outOfDescriptors
        case .success, .failure: throw .unknown("the proxy has no address")
        case nil: throw .unknown("no caller waits for it")
        }
    }

    /// Marks the addresses of a host, and of the proxy, as stale, so that they are looked up again: no
    /// connection to them was possible.
    func distrust(_ host: String) {
        for name in [host] + (proxy.map { [$0.url.host] } ?? []) {
            if let found = known[name] { known[name] = Entry(answer: found.answer, until: 0) }
        }
    }

    /// Returns the addresses of a host that may be connected to, at least one.
    package func addresses(of host: String, port: UInt16) async throws(Failure) -> [String] {
        switch await lookUp(host, port) {
        case .success(let all):
            let allowed = allowed(all)
            if allowed.isEmpty { throw allowsPrivate ? .unknown("none was found") : .notPublic }
            return allowed.map(\.host)
        case .failure(.outOfDescriptors): throw .outOfDescriptors
        case .failure(let failure): throw allowsPrivate ? .unknown("\(failure)") : .notPublic
        case nil: throw .unknown("its callers have given up")
        }
    }

    private func allowed(_ addresses: [SocketAddress]) -> [SocketAddress] {
        addresses.filter { allowsPrivate || AddressPolicy.isPublic($0.addressBytes) }
    }

    /// Returns the address that a host is, the known answer for its name, or asks for it; nil if the task is
    /// cancelled. `isFresh`: what is known does not count.
    private func lookUp(_ host: String, _ port: UInt16, isFresh: Bool = false) async -> Answer? {
        if let address = SocketAddress(numeric: host, port: port) { return .success([address]) }
        while !Task.isCancelled {
            if !isFresh, let found = known[host], now() < found.until { return found.answer }
            guard waiting[host] != nil else { return await ask(host, port) }
            // If the task that asks is cancelled, another one asks.
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
        } else {
            switch await takePlace(isProven) {
            case .place:
                let asked = await asked(host, port, isProven)
                remember(asked, of: host, wasProven: isProven)
                answer = asked
            case .outOfDescriptors: answer = .failure(.outOfDescriptors)
            case .wait, nil: break
            }
        }
        for continuation in (waiting.removeValue(forKey: host) ?? [:]).values {
            continuation.resume(returning: answer)
        }
        return answer
    }

    private func asked(_ host: String, _ port: UInt16, _ isProven: Bool) async -> Answer {
        let question = takeTurn()
        underWay.insert(question)
        let answer = await Answer { () async throws(Resolver.Failure) in
            try await service(host, port) {
                // The task ends at once; nothing has to wait for it.
                Task { await self.end(question, isProven) }
            }
        }
        // If too many threads hang already, the place is left only when this question's thread ends.
        if underWay.contains(question), overdue.count < LookUpPlaces.overdue {
            underWay.remove(question)
            overdue.insert(question)
            places.leave(isProven, isOverdue: true)
            admit()
        }
        return answer
    }

    private func end(_ question: UInt64, _ isProven: Bool) {
        if underWay.remove(question) != nil {
            places.leave(isProven)
        } else if overdue.remove(question) != nil {
            places.endOverdue()
        }
        admit()
    }

    /// Whether the latest answer for the name has an address that may be connected to.
    private func isProven(_ host: String) -> Bool {
        guard case .success(let addresses) = known[host]?.answer else { return false }
        return isUsable(host, addresses)
    }

    /// Whether a host has an address that may be connected to; that of the proxy may be private.
    private func isUsable(_ host: String, _ addresses: [SocketAddress]) -> Bool {
        host == proxy?.url.host ? !addresses.isEmpty : !allowed(addresses).isEmpty
    }

    private func remember(_ answer: Answer, of host: String, wasProven: Bool) {
        let instant = now()
        let isSilent = if case .failure(.timedOut) = answer { true } else { false }
        zones.note(host, isSilent: isSilent, at: instant)
        if known.count >= Self.capacity { known = known.filter { instant < $0.value.until } }
        if known.count >= Self.capacity { known = [:] }
        let seconds = freshSeconds(host, answer, wasProven: wasProven)
        known[host] = Entry(answer: answer, until: instant + seconds * 1_000_000_000)
    }

    /// Returns how long an answer is fresh, in seconds. Connections are pinned to the addresses, so these may
    /// stay for a while. A name that never gets an answer costs a place for seconds each time.
    private func freshSeconds(_ host: String, _ answer: Answer, wasProven: Bool) -> UInt64 {
        switch answer {
        case .success(let addresses): isUsable(host, addresses) ? 300 : 10
        case .failure(.timedOut): wasProven ? 10 : 60
        case .failure(.notFound): 10
        case .failure(.outOfDescriptors): 0
        }
    }

    // Waiting.

    /// Waits for the answer to another task's question; nil if that task is cancelled, or this one.
    private func answer(for host: String) async -> Answer? {
        let turn = takeTurn()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled { return continuation.resume(returning: nil) }
                waiting[host, default: [:]][turn] = continuation
            }
        } onCancel: {
            // The task ends at once; nothing has to wait for it.
            Task { await self.giveUp(turn, of: host) }
        }
    }

    /// Waits for a place to ask; returns nil if the task is cancelled.
    private func takePlace(_ isProven: Bool) async -> LookUpPlaces.Grant? {
        let turn = takeTurn()
        let grant = places.take(turn, isProven)
        if grant != .wait { return grant }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled, places.giveUp(turn) { return continuation.resume(returning: nil) }
                queue[turn] = continuation
            }
        } onCancel: {
            Task { await self.giveUp(turn) }
        }
    }

    /// Lets those ask that wait and have a place now.
    private func admit() {
        while let (turn, grant) = places.next() { queue.removeValue(forKey: turn)?.resume(returning: grant) }
    }

    private func takeTurn() -> UInt64 {
        lastTurn += 1
        return lastTurn
    }

    private func giveUp(_ turn: UInt64, of host: String) {
        waiting[host]?.removeValue(forKey: turn)?.resume(returning: nil)
    }

    private func giveUp(_ turn: UInt64) {
        if places.giveUp(turn) { queue.removeValue(forKey: turn)?.resume(returning: nil) }
    }
}
