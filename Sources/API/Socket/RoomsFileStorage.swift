import Reactor
import Rooms

/// The blocks of one loop in a `RoomsFile`, after one block for the file's header. Loop only.
final class RoomsFileStorage: RoomStorage {
    static let headerBlocks = 1

    private let file: MappedFile
    private let more: () -> [Int]
    private var free: [Int] = []

    /// Creates a storage. `more` returns unused blocks; none if the file is full.
    init(_ file: MappedFile, more: @escaping () -> [Int]) {
        self.file = file
        self.more = more
    }

    /// Returns the number of blocks in the file. It may be called on any thread.
    static func blockCount(of file: MappedFile) -> Int {
        max(0, file.wordCount / RoomBlock.words - headerBlocks)
    }

    var blockCount: Int { Self.blockCount(of: file) }

    package func load(_ word: Int, of block: Int) -> UInt64 { file.load(Self.index(of: word, in: block)) }

    package func store(_ value: UInt64, at word: Int, of block: Int) {
        file.store(value, at: Self.index(of: word, in: block))
    }

    func takeBlock() -> Int? {
        if free.isEmpty { free = more() }
        return free.popLast()
    }

    func giveBack(_ block: Int) { free.append(block) }

    private static func index(of word: Int, in block: Int) -> Int {
        (block + headerBlocks) * RoomBlock.words + word
    }
}
