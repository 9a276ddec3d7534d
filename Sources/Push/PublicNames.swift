import OutboundHTTP
package import Reactor
import Settings

/// Whether the name service of this machine answers for names of the Internet. It is asked until it does, at
/// most every 30 seconds; a later failure is that of a name.
package actor PublicNames {
    /// The shortest time between two questions, in nanoseconds.
    static let pause: UInt64 = 30_000_000_000

    private let ask: @Sendable () async -> Bool
    private let now: @Sendable () -> UInt64
    private var areFound = false
    private var nextQuestion: UInt64 = 0
    private var question: Task<Bool, Never>?

    package init(
        now: @escaping @Sendable () -> UInt64 = { Monotonic.nanoseconds() },
        asking ask: @escaping @Sendable () async -> Bool
    ) {
        self.ask = ask
        self.now = now
    }

    /// Asks for the push services that are known.
    package init(on loop: EventLoop) {
        self.init { await Self.findsPushService(on: loop) }
    }

    /// Returns the latest answer, or the next one if it is time to ask again or the question is under way.
    package func canBeFound() async -> Bool {
        if let question { return await question.value }
        guard !areFound, now() >= nextQuestion else { return areFound }
        nextQuestion = now() + Self.pause
        // The answer is for all callers: it goes on if the first one is cancelled.
        let question = Task { await ask() }
        self.question = question
        areFound = await question.value
        self.question = nil
        return areFound
    }

    private static func findsPushService(on loop: EventLoop) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for host in ServerConfiguration.knownPushServices where !host.hasPrefix("*") {
                group.addTask {
                    let found = try? await Resolver.resolve(host, port: 443, on: loop)
                    return found?.contains { AddressPolicy.isPublic($0.addressBytes) } ?? false
                }
            }
            return await group.contains(true)
        }
    }
}
