import Reactor

@testable import Push

extension AddressBook {
    /// Makes an address book that asks `service`, whose questions are over as soon as they are answered.
    init(
        allowsPrivate: Bool, now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() },
        asking service: @escaping @Sendable (String, UInt16) async throws(Resolver.Failure) -> [SocketAddress]
    ) {
        self.init(allowsPrivate: allowsPrivate, now: now) { host, port, over throws(Resolver.Failure) in
            defer { over() }
            return try await service(host, port)
        }
    }
}
