import Rooms

/// The blocks of one loop in a `RoomsFile`. Loop only.
final class RoomsFileStorage: RoomStorage {
    private let blocks: MappedBlocks
    private let more: () -> [Int]
    private var free: [Int] = []

    /// Creates a storage. `more` returns unused blocks; none if the file is full.
    init(_ blocks: MappedBlocks, more: @escaping () -> [Int]) {
        self.blocks = blocks
        self.more = more
    }

    var blockCount: Int { blocks.count }

    package func load(_ word: Int, of block: Int) -> UInt64 { blocks.load(word, of: block) }

    package func store(_ value: UInt64, at word: Int, of block: Int) {
        blocks.store(value, at: word, of: block)
    }

    func takeBlock() -> Int? {
        if free.isEmpty { free = more() }
        return free.popLast()
    }

    func giveBack(_ block: Int) { free.append(block) }
}
