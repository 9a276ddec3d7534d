import Contract
import Reactor

/// The terms of rooms as far as this server knows them. A term is a fencing token: an owner that is cut off
/// from the database learns from a higher term that it has a successor. The database is authoritative. If it
/// fails, or does not answer soon, the rooms that are open here count.
struct KnownTerms: Sendable {
    /// The time in which the database has to answer: the server that asks waits for a second (`PeerTalk`).
    private static let patience = Duration.milliseconds(300)
    /// The time for which the database is not asked again: an owner of many rooms asks in parts, one after
    /// the other, and all have to be answered in time.
    private static let recovery: UInt64 = 1_000_000_000

    /// Returns the terms of rooms by the database.
    let stored: @Sendable ([Identifier]) async throws -> [Identifier: Int32]
    /// Returns the terms of those rooms that are open here.
    let open: @Sendable ([Identifier]) async -> [Identifier: Int32]
    var monotonic: @Sendable () -> UInt64 = { Monotonic.nanoseconds() }
    var sleep: @Sendable (Duration) async throws -> Void = { try await ContinuousClock().sleep(for: $0) }
    /// The instant until which the database is not asked again, since it did not answer.
    private let silentUntil = Lock<UInt64>(0)

    func terms(of rooms: [Identifier]) async -> [Identifier: Int32] {
        if silentUntil.withLock({ $0 }) <= monotonic() {
            let answer = await withTaskGroup(of: [Identifier: Int32]?.self) { [stored, sleep] group in
                group.addTask { try? await stored(rooms) }
                group.addTask {
                    try? await sleep(Self.patience)
                    return nil
                }
                defer { group.cancelAll() }
                return await group.next() ?? nil
            }
            if let answer { return answer }
            silentUntil.withLock { $0 = monotonic() + Self.recovery }
        }
        return await open(rooms)
    }
}
