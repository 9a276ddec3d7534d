import HTTPClient
import Reactor

/// Finds the addresses of hosts, off the loops. Who asks for a name that is being looked up waits with the first.
actor AddressBook {
    enum Failure: Error, Equatable, CustomStringConvertible {
        case unknown(String)
        /// The name stands for an address inside of the network.
        case notPublic(String)

        var description: String {
            switch self {
            case .unknown(let reason): "the host's name has no address: \(reason)"
            case .notPublic(let address): "\(address) is no address of the public Internet"
            }
        }
    }

    private typealias Answer = Result<[SocketAddress], Resolver.Failure>

    private let loop: EventLoop
    private let allowsPrivate: Bool
    /// What was found is good for as long, in nanoseconds.
    private static let freshness: UInt64 = 10_000_000_000
    private static let capacity = 1_000

    private var known: [String: (addresses: [SocketAddress], until: UInt64)] = [:]
    private var waiting: [String: [CheckedContinuation<Answer, Never>]] = [:]

    init(on loop: EventLoop, allowsPrivate: Bool) {
        self.loop = loop
        self.allowsPrivate = allowsPrivate
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
        if allowed.isEmpty, let first = all.first { throw .notPublic(first.host) }
        if allowed.isEmpty { throw .unknown("none was found") }
        return allowed.map(\.host)
    }

    private func lookUp(_ host: String, _ port: UInt16) async -> Answer {
        let now = Monotonic.nanoseconds()
        if let found = known[host], now < found.until { return .success(found.addresses) }
        if waiting[host] != nil {
            return await withCheckedContinuation { waiting[host, default: []].append($0) }
        }
        waiting[host] = []
        let answer: Answer
        do throws(Resolver.Failure) {
            answer = .success(try await Resolver.resolve(host, port: port, on: loop))
        } catch {
            answer = .failure(error)
        }
        if known.count >= Self.capacity { known = [:] }
        if case .success(let addresses) = answer { known[host] = (addresses, now + Self.freshness) }
        for continuation in waiting.removeValue(forKey: host) ?? [] { continuation.resume(returning: answer) }
        return answer
    }
}
