import Reactor
import Rooms

/// The blocks of a `RoomStorage` in a mapped file, after one block for the file's header.
struct MappedBlocks: Sendable {
    private static let headerBlocks = 1

    private let file: MappedFile

    init(_ file: MappedFile) { self.file = file }

    package var count: Int { max(0, file.wordCount / RoomBlock.words - Self.headerBlocks) }

    var isTruncated: Bool { file.isTruncated }

    /// Adds blocks to the file. It may wait for the disk.
    func grow(by added: Int) throws(MappedFileError) {
        try file.grow(to: (count + Self.headerBlocks + added) * RoomBlock.words)
    }

    package func load(_ word: Int, of block: Int) -> UInt64 { file.load(Self.index(of: word, in: block)) }

    package func store(_ value: UInt64, at word: Int, of block: Int) {
        file.store(value, at: Self.index(of: word, in: block))
    }

    private static func index(of word: Int, in block: Int) -> Int {
        (block + headerBlocks) * RoomBlock.words + word
    }
}
