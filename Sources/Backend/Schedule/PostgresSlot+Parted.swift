import Contract
import Postgres

extension PostgresSlot {
    /// By the index of live blocks for each pair, whatever the planner thinks of their number.
    private static let findBlock = """
        SELECT FROM unnest($1::uuid[], $2::uuid[]) AS pair (one_id, other_id)
        CROSS JOIN LATERAL (
            SELECT FROM blocks
            WHERE user_id = pair.one_id AND blocks.other_id = pair.other_id AND removed_at IS NULL
            OFFSET 0
        ) AS block
        LIMIT 1
        """

    /// From so many pairs on all blocks of the slot are read sooner.
    private static let manyPairs = 20_000

    func haveParted(_ rooms: [SlotOpening.Room]) async throws -> Bool {
        let count = rooms.reduce(0) { $0 + $1.members.count * ($1.members.count - 1) }
        if count > Self.manyPairs { return Self.haveParted(rooms, by: try await blocks()) }
        var ones: [UUID] = []
        var others: [UUID] = []
        for room in rooms {
            for one in room.members {
                for other in room.members where other.user != one.user {
                    ones.append(one.user)
                    others.append(other.user)
                }
            }
        }
        return try await !connection.query(Self.findBlock, [ones, others]).isEmpty
    }

    private static func haveParted(_ rooms: [SlotOpening.Room], by blocks: [SlotTie]) -> Bool {
        var seats: [UUID: Int] = [:]
        for (index, room) in rooms.enumerated() {
            for member in room.members { seats[member.registration] = index }
        }
        return blocks.contains { seats[$0.first] != nil && seats[$0.first] == seats[$0.second] }
    }
}
