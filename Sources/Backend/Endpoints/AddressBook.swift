import Contract
import HTTPClient
import Reactor

/// Finds the addresses of hosts, off the loops. Who asks for a name that is being looked up waits with the first.
actor AddressBook {
    enum Failure: Error, Equatable, CustomStringConvertible {
        case unknown(String)
        /// The host is an address inside of the network, or its name stands for one. Which one is not said: it would tell
        /// how the network is made.
        case notPublic

        var description: String {
            switch self {
            case .unknown(let reason): "the host's name has no address: \(reason)"
            case .notPublic: "the host has no address of the public Internet"
            }
        }
    }

    /// Asks the name service for a host's addresses.
    typealias Service = @Sendable (String, UInt16) async throws(Resolver.Failure) -> [SocketAddress]

    private typealias Answer = Result<[SocketAddress], Resolver.Failure>

    private let service: Service
    private let allowsPrivate: Bool
    /// What was found, or that nothing was, is good for as long, in nanoseconds.
    private static let freshness: UInt64 = 10_000_000_000
    private static let capacity = 1_000
    /// Names that are looked up at once, which costs a thread each. The others wait for them.
    static let together = 128

    private var known: [String: (answer: Answer, until: UInt64)] = [:]
    private var underWay = 0
    private var queue: [CheckedContinuation<Void, Never>] = []
    private var waiting: [String: [CheckedContinuation<Answer, Never>]] = [:]

    init(on loop: EventLoop, allowsPrivate: Bool) {
        self.init(allowsPrivate: allowsPrivate) { host, port throws(Resolver.Failure) in
            try await Resolver.resolve(host, port: port, on: loop)
        }
    }

    init(allowsPrivate: Bool, asking service: @escaping Service) {
        self.service = service
        self.allowsPrivate = allowsPrivate
    }

    /// Where to connect to for that URL, and nowhere else; nil where its host is an address, which may be connected to.
    func pin(for url: WebURL) async throws(Failure) -> OutboundRequest.Pin? {
        let found = try await addresses(of: url.host, port: url.port)
        guard SocketAddress(numeric: url.host, port: url.port) == nil else { return nil }
        return OutboundRequest.Pin(host: url.host, port: url.port, addresses: found)
    }

    /// The addresses that may be connected to, at least one.
    func addresses(of host: String, port: UInt16) async throws(Failure) -> [String] {
        let answer: Answer
        if let address = SocketAddress(numeric: host, port: port) {
            answer = .success([address])
        } else {
            answer = await lookUp(host, port)
        }
        let all: [SocketAddress]
        switch answer {
        case .success(let addresses): all = addresses
        case .failure(let failure): throw .unknown("\(failure)")
        }
        let allowed = all.filter { allowsPrivate || AddressPolicy.isPublic($0.addressBytes) }
        if allowed.isEmpty { throw all.isEmpty ? .unknown("none was found") : .notPublic }
        return allowed.map(\.host)
    }

    private func lookUp(_ host: String, _ port: UInt16) async -> Answer {
        let now = Monotonic.nanoseconds()
        if let found = known[host], now < found.until { return found.answer }
        if waiting[host] != nil {
            return await withCheckedContinuation { waiting[host, default: []].append($0) }
        }
        waiting[host] = []
        await takePlace()
        let answer: Answer
        do throws(Resolver.Failure) {
            answer = .success(try await service(host, port))
        } catch {
            answer = .failure(error)
        }
        leavePlace()
        if known.count >= Self.capacity { known = [:] }
        known[host] = (answer, Monotonic.nanoseconds() + Self.freshness)
        for continuation in waiting.removeValue(forKey: host) ?? [] { continuation.resume(returning: answer) }
        return answer
    }

    private func takePlace() async {
        if underWay < Self.together {
            underWay += 1
        } else {
            await withCheckedContinuation { queue.append($0) }
        }
    }

    /// Whoever has waited for longest gets it.
    private func leavePlace() {
        if queue.isEmpty { underWay -= 1 } else { queue.removeFirst().resume() }
    }
}
