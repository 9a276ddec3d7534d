/// A storage in memory: for rooms on their way to another server, and for tests, in which a copy stands for
/// the file that a process leaves.
package final class MemoryRoomStorage: RoomStorage {
    private let maximumBlocks: Int
    /// The words of all blocks.
    package private(set) var words: [UInt64]
    private var free: [Int] = []

    package init(maximumBlocks: Int = .max, words: [UInt64] = []) {
        self.maximumBlocks = maximumBlocks
        self.words = words
    }

    /// Copies the words; call `keep` to say which blocks are in use.
    package init(copying other: MemoryRoomStorage) {
        maximumBlocks = other.maximumBlocks
        words = other.words
    }

    /// Marks the blocks that are in use; the others are free.
    package func keep(_ used: some Sequence<Int>) {
        let used = Set(used)
        free = (0..<blockCount).filter { !used.contains($0) }
    }

    package var blockCount: Int { words.count / RoomBlock.words }

    package func load(_ word: Int, of block: Int) -> UInt64 { words[block * RoomBlock.words + word] }

    package func store(_ value: UInt64, at word: Int, of block: Int) {
        words[block * RoomBlock.words + word] = value
    }

    package func takeBlock() -> Int? {
        if let block = free.popLast() { return block }
        guard blockCount < maximumBlocks else { return nil }
        words.append(contentsOf: repeatElement(0, count: RoomBlock.words))
        return blockCount - 1
    }

    package func giveBack(_ block: Int) { free.append(block) }
}
