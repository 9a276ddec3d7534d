import Client
import Codecs
import Contract
import Reactor

/// A member of a room who cheers again and again, by the client library, through whichever server is there.
final class CutMember: Sendable {
    /// Waits of the client are this much shorter than in life.
    private static let haste = 10
    private static let pause = Duration.milliseconds(120)
    /// The most ales on their way at the same time.
    private static let window = 12

    let name: String
    private let connection: RoomConnection
    private let state: Lock<CutLedger>
    private let isQuiet = Lock(false)

    init(_ name: String, in room: Identifier, at address: RoomAddress, seed: UInt64) throws {
        self.name = name
        var configuration = ConnectionConfiguration()
        configuration.clock = FastClock(factor: Self.haste)
        configuration.generator = SplitMix64(seed: seed)
        configuration.eventBuffer = 1_000_000
        configuration.timeout = .seconds(2)
        configuration.resendInterval = .seconds(10)
        connection = try RoomConnection(address, configuration: configuration)
        state = Lock(CutLedger(room: room))
    }

    var ledger: CutLedger { state.withLock { $0 } }

    /// Has the member cheer no more, or again.
    func setQuiet(_ quiet: Bool) { isQuiet.withLock { $0 = quiet } }

    /// Stays in the room and cheers until the task is cancelled.
    func live() async {
        let events = connection.events
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [state] in
                for await event in events { state.withLock { $0.take(event, at: .now) } }
            }
            group.addTask { [state, connection] in
                for await now in connection.states { state.withLock { $0.note(now) } }
            }
            await connection.start()
            while !Task.isCancelled {
                await cheer()
                try? await ContinuousClock().sleep(for: Self.pause)
            }
            await connection.stop()
            group.cancelAll()
        }
    }

    private func cheer() async {
        if isQuiet.withLock({ $0 }) || state.withLock({ $0.waiting }) >= Self.window { return }
        let ale = OutgoingMessage.ale()
        // The ale is noted first, since its acknowledgement may come before `send` returns.
        state.withLock { $0.cheered(ale.id, at: .now) }
        _ = try? await connection.send(ale, by: .queuedOnly)
    }
}
