import Contract
import Postgres
import Scheduling

extension PostgresSlot {
    /// Finds blocks by the index of live blocks for each pair, whatever the planner thinks of their number.
    private static let findBlocks = """
        SELECT DISTINCT gathering FROM unnest($1::uuid[], $2::uuid[], $3::int8[])
            AS pair (one_id, other_id, gathering)
        CROSS JOIN LATERAL (
            SELECT FROM blocks
            WHERE user_id = pair.one_id AND blocks.other_id = pair.other_id AND removed_at IS NULL
            OFFSET 0
        ) AS block
        """

    /// The number of pairs from which reading all blocks of the slot is quicker.
    private static let manyPairs = 10_000

    func parted(_ gatherings: [Gathering]) async throws -> Set<Int> {
        let count = gatherings.reduce(0) { $0 + $1.encounters }
        if count > Self.manyPairs { return Self.parted(gatherings, by: try await blocks()) }
        var ones: [Identifier] = []
        var others: [Identifier] = []
        var indices: [Int64] = []
        for (index, gathering) in gatherings.enumerated() {
            gathering.forEachEncounter { one, other in
                ones += [one.user, other.user]
                others += [other.user, one.user]
                indices += [Int64(index), Int64(index)]
            }
        }
        if ones.isEmpty { return [] }
        let parted: [Int64] = try await connection.query(Self.findBlocks, [ones, others, indices]).column()
        return Set(parted.map { Int($0) })
    }

    private static func parted(_ gatherings: [Gathering], by blocks: [SlotEdge]) -> Set<Int> {
        if blocks.isEmpty { return [] }
        var places: [Identifier: (gathering: Int, isArriving: Bool)] = [:]
        for (index, gathering) in gatherings.enumerated() {
            for person in gathering.arriving { places[person.registration] = (index, true) }
            for person in gathering.staying { places[person.registration] = (index, false) }
        }
        var parted: Set<Int> = []
        for block in blocks {
            guard let one = places[block.first], let other = places[block.second] else { continue }
            if one.gathering == other.gathering && (one.isArriving || other.isArriving) {
                parted.insert(one.gathering)
            }
        }
        return parted
    }
}
