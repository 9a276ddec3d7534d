import Client
import Codecs
import Contract
import FlakyNetwork
import Reactor

/// One of two members who cheer each other, over a bad network of its own.
final class ChaosMember: Sendable {
    private struct State {
        var ledger = ChaosLedger()
        var sent: [String] = []
        var waiter:
            (condition: @Sendable (ChaosLedger) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    }

    let network: FlakyTransport
    private let connection: RoomConnection
    private let state = Lock(State())

    init(
        _ person: Person, in room: Identifier, on server: ServerProcess, _ faults: Faults, seed: UInt64
    ) async throws {
        network = try await FlakyTransport(to: server.server, faults: faults, seed: seed)
        var configuration = ConnectionConfiguration()
        configuration.clock = FastClock(factor: 20)
        configuration.generator = SplitMix64(seed: seed)
        configuration.eventBuffer = 1_000_000
        configuration.timeout = .seconds(1)
        connection = try RoomConnection(
            .room(room, server: network.server, token: person.token), configuration: configuration)
    }

    var ledger: ChaosLedger { state.withLock { $0.ledger } }
    /// The messageIds, in the order in which they were given.
    var sent: [String] { state.withLock { $0.sent } }

    /// Keeps the members in the room while the body runs.
    static func with(_ members: [ChaosMember], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for member in members {
                let events = member.connection.events
                group.addTask {
                    for await event in events { member.hear(event) }
                }
                await member.connection.start()
            }
            do {
                try await body()
            } catch {
                for member in members { await member.connection.stop() }
                throw error
            }
            for member in members { await member.connection.stop() }
        }
    }

    func cheer(_ count: Int) async {
        for _ in 0..<count {
            if let id = await connection.cheer() { state.withLock { $0.sent.append(id) } }
        }
    }

    /// Returns once the condition holds.
    func reach(_ what: String, _ condition: @escaping @Sendable (ChaosLedger) -> Bool) async throws {
        try await within(what, limit: .seconds(300)) { [self] in
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isThere = state.withLock { state in
                        if Task.isCancelled || condition(state.ledger) { return true }
                        state.waiter = (condition, continuation)
                        return false
                    }
                    if isThere { continuation.resume() }
                }
            } onCancel: {
                wake { _ in true }
            }
            try Task.checkCancellation()
        }
    }

    private func hear(_ event: RoomEvent) {
        state.withLock { $0.ledger.take(event) }
        wake { state in state.waiter?.condition(state.ledger) ?? false }
    }

    private func wake(_ isTime: (State) -> Bool) {
        let woken: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard isTime(state) else { return nil }
            defer { state.waiter = nil }
            return state.waiter?.continuation
        }
        woken?.resume()
    }
}
