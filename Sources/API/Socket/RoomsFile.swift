package import Contract
import Glibc
import Logging
package import Reactor
import Rooms
import Settings

/// `DATA_DIR/rooms-PORT`: the rooms of one server, for its next process. All its loops share the file, block
/// by block.
///
/// It is never written to the disk on purpose, and needs not be: it outlives the process, and what was in it
/// before the machine was started is thrown away. Its first block is the header: what it is, of which start
/// of the machine, in which layout, its identity, and a checksum.
package final class RoomsFile: Sendable {
    package struct Limits: Sendable {
        /// The most bytes of the file. A room of two takes 3 KiB with a few ales, and at most 35 KiB.
        var maximumBytes = 1 << 30
        /// It grows by that much.
        var stepBytes = 1 << 20
        /// What a loop takes at once.
        var blocksAtOnce = 128
    }

    static let magic: UInt64 = 0x5357_4954_4348_3032

    let layout: RoomLogLayout
    /// The same for as long as anything is kept: what rooms have in here is known by it.
    package let identity: Identifier
    private let left: Lock<[SavedRoom]>
    private let blocks: MappedBlocks
    private let limits: Limits
    private let free: Lock<Free>

    private struct Free: Sendable {
        /// That no loop has; the last ones go first.
        var blocks: [Int]
        var hasWarned = false
    }

    /// Makes the folder and the file where they are missing. Whatever is wrong is said in one line of the
    /// log; nil: then rooms live in memory alone.
    package static func open(
        in folder: String, port: UInt16, limits: Limits = Limits(),
        bootID: @escaping @Sendable () throws -> Identifier = { try BootID.current() }, now: Timestamp
    ) async -> RoomsFile? {
        await BlockingThread.run {
            let name = "rooms-\(port)"
            do {
                let path = "\(try DataFolder.make(folder))/\(name)"
                let file = try Self.map(path, maximumBytes: limits.maximumBytes)
                return try RoomsFile(file, limits, bootID: try bootID(), path: path, now: now)
            } catch {
                Log.warning(
                    "rooms are kept in memory only: a server that is killed forgets the last ales",
                    ["DATA_DIR": folder, "file": name, "error": "\(error)"])
                return nil
            }
        }
    }

    /// An earlier process that is ending may have it for a moment still.
    package static func map(_ path: String, maximumBytes: Int) throws(MappedFileError) -> MappedFile {
        for _ in 0..<100 {
            do throws(MappedFileError) {
                return try MappedFile(opening: path, maximumBytes: maximumBytes)
            } catch {
                guard case .inUse = error else { throw error }
            }
            usleep(10_000)
        }
        return try MappedFile(opening: path, maximumBytes: maximumBytes)
    }

    private init(_ file: MappedFile, _ limits: Limits, bootID: Identifier, path: String, now: Timestamp)
        throws
    {
        blocks = MappedBlocks(file)
        self.limits = limits
        let layout = RoomLogLayout()
        self.layout = layout
        let found = (0..<min(file.wordCount, Self.headerWords)).map { file.load($0) }
        let known = Self.identity(in: found)
        let isOurs = known.map { found == Self.header(bootID, layout, $0) } ?? false
        if !isOurs && found.contains(where: { $0 != 0 }) { Self.explain(found, path: path) }
        let saved =
            isOurs
            ? SavedRoom.readAll(in: RoomsFileStorage(blocks, more: { [] }), layout, now: now) : []
        if saved.isEmpty {
            try file.empty()
            try file.grow(to: limits.stepBytes / MemoryLayout<UInt64>.stride)
            var random = SystemRandomNumberGenerator()
            identity = Identifier.v4(using: &random)
            // With the first word the header is there.
            for (index, word) in Self.header(bootID, layout, identity).enumerated().reversed() {
                file.store(word, at: index)
            }
        } else {
            identity = known ?? Identifier(value: 0)
            Log.info("rooms go on where they stopped", ["rooms": saved.count])
        }
        left = Lock(saved)
        let used = Set(saved.flatMap(\.usedBlocks))
        free = Lock(Free(blocks: (0..<blocks.count).reversed().filter { !used.contains($0) }))
    }

    private static let headerWords = 8

    private static func header(_ bootID: Identifier, _ layout: RoomLogLayout, _ identity: Identifier)
        -> [UInt64]
    {
        let sizes = [UInt64(layout.ales), UInt64(layout.messageIds)]
        let words = [magic] + words(of: bootID) + sizes + words(of: identity)
        return words + [checksum(of: words)]
    }

    private static func words(of id: Identifier) -> [UInt64] {
        [UInt64(truncatingIfNeeded: id.value >> 64), UInt64(truncatingIfNeeded: id.value)]
    }

    private static func identity(in header: [UInt64]) -> Identifier? {
        guard header.count == headerWords else { return nil }
        return Identifier(value: UInt128(header[5]) << 64 | UInt128(header[6]))
    }

    private static func checksum(of words: some Sequence<UInt64>) -> UInt64 {
        words.reduce(0) { ($0 ^ $1) &* 0x9e37_79b9_7f4a_7c15 }
    }

    private static func explain(_ found: [UInt64], path: String) {
        if found.first == magic && found.last == checksum(of: found.dropLast()) {
            Log.info(
                "the machine, or another version, has left these rooms: they begin anew", ["file": path])
        } else {
            Log.warning("the file of rooms is damaged: rooms begin anew", ["file": path])
        }
    }

    /// What an earlier process left, each room for the loop that owns it now.
    var saved: [SavedRoom] { left.withLock { $0 } }

    /// They have gone to their loops.
    func forgetSaved() { left.withLock { $0 = [] } }

    /// For one loop.
    func storage() -> RoomsFileStorage { RoomsFileStorage(blocks) { [self] in takeBlocks() } }

    /// Blocks for a loop; none: the file is full. Where it grows this waits for the disk, once for each step;
    /// a loop that needs blocks meanwhile would have to wait, too.
    private func takeBlocks() -> [Int] {
        free.withLock { free in
            if free.blocks.isEmpty {
                let count = blocks.count
                do throws(MappedFileError) {
                    try blocks.grow(by: limits.stepBytes / (RoomBlock.words * MemoryLayout<UInt64>.stride))
                    free.blocks = (count..<blocks.count).reversed()
                } catch {
                    if !free.hasWarned {
                        Log.warning(
                            "the file of rooms cannot grow: further rooms are kept in memory only",
                            ["error": "\(error)"])
                    }
                    free.hasWarned = true
                }
            }
            let taken = Array(free.blocks.suffix(limits.blocksAtOnce))
            free.blocks.removeLast(taken.count)
            return taken
        }
    }
}
