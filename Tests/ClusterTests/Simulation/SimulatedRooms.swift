import Contract
import Database
import Reactor
import Rooms
import TestKit

@testable import API
@testable import Cluster
@testable import Rooms

/// The rooms of one process, over the model of the database.
final class SimulatedRooms: OwnedRooms {
    let host: SimulatedHost
    let process: SimulatedProcess
    private let knocks: SharedAnswers<Identifier, Membership>
    private let claims: SharedAnswers<RoomClaim, Int32>
    let unreadLost = Lock<Set<Identifier>>([])
    let unmovedLogs = Lock<Set<Identifier>>([])

    var incarnation: Identifier { process.incarnation }
    var layout: RoomLogLayout { RoomLogLayout() }
    var log: Identifier { Identifier(value: UInt128(process.handle.index + 1)) }
    var rows: any RoomRows { process.rows }
    var hostCount: Int { 1 }

    init(_ process: SimulatedProcess, _ host: SimulatedHost) {
        self.process = process
        self.host = host
        let (rows, incarnation) = (process.rows, process.incarnation)
        let log = Identifier(value: UInt128(process.handle.index + 1))
        knocks = SharedAnswers(on: process.background) { ids in
            Dictionary(
                uniqueKeysWithValues: try await rows.memberships(of: ids.sorted(), log: log).map {
                    ($0.room, $0)
                })
        }
        claims = SharedAnswers(on: process.background) {
            try await RoomClaim.make($0, by: incarnation, in: rows)
        }
    }

    func index(of room: Identifier) -> Int { 0 }

    func submit<Value: Sendable>(
        to index: Int, _ body: @escaping @Sendable (RoomHost) -> Value
    ) async -> Value {
        await host.run(body)
    }

    func apply(_ memberships: [Membership], at index: Int) async { await host.apply(memberships) }

    func freeze(_ room: Identifier) async {
        if process.world.bug == .neverWaits { return }
        await host.run { $0.freeze(room) }
    }

    func thaw(_ room: Identifier, after pause: Duration) async {
        let (host, roomLoop) = (host, process.roomLoop)
        _ = process.time.alarm(pause) {
            roomLoop.execute { host.assumeIsolated { $0.run { $0.thaw(room) } } }
        }
    }

    func memberships(of ids: [Identifier]) async throws -> [Membership] {
        try await process.rows.memberships(of: ids, log: log)
    }

    func membership(of room: Identifier) async throws -> Membership? { try await knocks.ask(room) }

    func claim(_ claim: RoomClaim) async throws -> Int32? {
        process.world.inPlace { $0.history.claims(claim.room, claim.term, at: process.handle) }
        let term = try await claims.ask(claim)
        if term != nil && claim.owner != nil { process.world.inPlace { $0.statistics.takenOver += 1 } }
        return term
    }

    func tellOthers(of room: Identifier) {
        process.world.inPlace { $0.tellOthers(of: room, from: process.handle) }
    }

    func storeCounts() async {}

    func now() -> Timestamp { process.world.inPlace { $0.now } }
}
