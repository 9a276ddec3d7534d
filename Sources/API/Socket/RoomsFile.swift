package import Contract
import Glibc
import Logging
package import Reactor
package import Rooms
import Settings

/// The file `DATA_DIR/rooms-PORT`, which keeps the rooms of one server for its next process. All its loops
/// share the file, block by block. Where servers share the folder and the port, as containers may, each of
/// them takes the first that no other has of `rooms-PORT`, `rooms-PORT-2` and so on.
///
/// It is never synced to the disk, and need not be: it outlives the process, and its content is discarded
/// after a reboot. Its first block is the header: a magic number, the boot id, the layout, its identity, and
/// a checksum; after that the process that has it.
package final class RoomsFile: Sendable {
    package struct Limits: Sendable {
        /// The most bytes of the file. A room of two takes 3 KiB with a few ales, and at most 35 KiB.
        var maximumBytes = 1 << 30
        /// The number of bytes by which the file grows.
        var stepBytes = 1 << 20
        /// The number of blocks that a loop takes at once.
        var blocksAtOnce = 128
        /// The most servers whose files can be in one folder, for one port.
        var filesInFolder = 16
    }

    static let magic: UInt64 = 0x5357_4954_4348_3032

    let layout: RoomLogLayout
    /// The identity of the content, which stays the same while anything is kept; the database refers to the
    /// file by it.
    package let identity: Identifier
    /// The process that had this file before, on the same start of the machine. It has ended, since it held
    /// the lock of the file. nil if it is not known.
    package let earlier: Identifier?
    private let left: Lock<[SavedRoom]>
    private let file: MappedFile
    private let limits: Limits
    private let free: Lock<Free>

    private struct Free: Sendable {
        /// The blocks that no loop has; they are taken from the end.
        var blocks: [Int]
        var hasWarned = false
        var hasNotedTruncation = false

        /// Returns true at the first call.
        mutating func noteTruncation() -> Bool {
            defer { hasNotedTruncation = true }
            return !hasNotedTruncation
        }
    }

    /// Opens the file; creates it and its folder if they are missing. Logs any error in one line and returns
    /// nil; rooms are in memory alone then.
    package static func open(
        in folder: String, port: UInt16, limits: Limits = Limits(),
        bootID: @escaping @Sendable () throws -> Identifier = { try BootID.current() }, now: Timestamp
    ) async -> RoomsFile? {
        await BlockingThread.run {
            let name = "rooms-\(port)"
            do {
                let (file, path) = try Self.mapFirstFree("\(try DataFolder.make(folder))/\(name)", limits)
                return try RoomsFile(file, limits, bootID: try bootID(), path: path, now: now)
            } catch {
                Log.warning(
                    "rooms are kept in memory only: a server that is killed forgets the last ales",
                    ["DATA_DIR": folder, "file": name, "error": "\(error)"])
                return nil
            }
        }
    }

    /// Maps the file, or the first with a number behind its name that no other server has. Only the first one
    /// is waited for.
    private static func mapFirstFree(
        _ path: String, _ limits: Limits
    ) throws(MappedFileError) -> (file: MappedFile, path: String) {
        do throws(MappedFileError) {
            return (try map(path, maximumBytes: limits.maximumBytes), path)
        } catch {
            guard case .inUse = error else { throw error }
            for number in 2..<(limits.filesInFolder + 1) {
                let next = "\(path)-\(number)"
                do throws(MappedFileError) {
                    let file = try MappedFile(opening: next, maximumBytes: limits.maximumBytes)
                    Log.info("another server has the first file of rooms", ["file": next])
                    return (file, next)
                } catch {
                    guard case .inUse = error else { throw error }
                }
            }
            throw error
        }
    }

    /// Maps the file. It tries again for a while, since an earlier process that is ending may still have the
    /// file.
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
        self.file = file
        self.limits = limits
        let layout = RoomLogLayout()
        self.layout = layout
        let found = (0..<min(file.wordCount, Self.headerWords)).map { file.load($0) }
        let known = Self.identity(in: found)
        let isOurs = known.map { found == Self.header(bootID, layout, $0) } ?? false
        if !isOurs && found.contains(where: { $0 != 0 }) { Self.explain(found, path: path) }
        earlier = isOurs ? Self.incarnation(in: file) : nil
        let saved =
            isOurs
            ? SavedRoom.readAll(in: RoomsFileStorage(file, more: { [] }), layout, now: now) : []
        if saved.isEmpty {
            try file.empty()
            try file.grow(to: limits.stepBytes / MemoryLayout<UInt64>.stride)
            var random = SystemRandomNumberGenerator()
            identity = Identifier.v4(using: &random)
            // The header takes effect with its first word, which is stored last.
            for (index, word) in Self.header(bootID, layout, identity).enumerated().reversed() {
                file.store(word, at: index)
            }
            // Until this process has taken over.
            if let earlier { Self.store(earlier, in: file) }
        } else {
            identity = known ?? Identifier(value: 0)
            Log.info("rooms restored", ["rooms": saved.count])
        }
        left = Lock(saved)
        let used = Set(saved.flatMap(\.usedBlocks))
        let count = RoomsFileStorage.blockCount(of: file)
        free = Lock(Free(blocks: (0..<count).reversed().filter { !used.contains($0) }))
    }

    private static let headerWords = 8

    private static func header(_ bootID: Identifier, _ layout: RoomLogLayout, _ identity: Identifier)
        -> [UInt64]
    {
        let sizes = [UInt64(layout.ales), UInt64(layout.messageIds)]
        let words = [magic] + words(of: bootID) + sizes + words(of: identity)
        return words + [checksum(of: words)]
    }

    // After the header: the process that has the file, and a checksum of both words.

    private static func store(_ incarnation: Identifier, in file: MappedFile) {
        let words = words(of: incarnation)
        for (index, word) in (words + [checksum(of: words)]).enumerated() {
            file.store(word, at: headerWords + index)
        }
    }

    private static func incarnation(in file: MappedFile) -> Identifier? {
        guard file.wordCount >= headerWords + 3 else { return nil }
        let words = (headerWords..<headerWords + 2).map { file.load($0) }
        guard words != [0, 0], file.load(headerWords + 2) == checksum(of: words) else { return nil }
        return Identifier(value: UInt128(words[0]) << 64 | UInt128(words[1]))
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
                "rooms file of another boot or version; rooms start empty", ["file": path])
        } else {
            Log.warning("rooms file damaged; rooms start empty", ["file": path])
        }
    }

    /// The rooms that an earlier process left, of all loops.
    package var saved: [SavedRoom] { left.withLock { $0 } }

    /// Notes the terms in which this process has claimed saved rooms. The others keep the term in which they
    /// were left, which is no longer that of their rows: they are not restored.
    package func claimed(_ terms: [Identifier: Int32]) {
        left.withLock { saved in
            for index in saved.indices {
                if let term = terms[saved[index].id] { saved[index].term = term }
            }
        }
    }

    /// Logs once that the file lost pages, since another program has truncated it or the disk fails.
    /// Rooms go on, and what is lost is what the next
    /// process would have read.
    package func warnIfTruncated() {
        guard file.isTruncated, free.withLock({ $0.noteTruncation() }) else { return }
        Log.warning(
            "the file of rooms was truncated, or its disk fails: a kill makes it forget the last ales"
        )
    }

    /// Drops the saved rooms, after they have gone to their loops.
    func forgetSaved() { left.withLock { $0 = [] } }

    /// Notes that this process may own rooms from now on, and that the earlier one owns none.
    package func begin(_ incarnation: Identifier) { Self.store(incarnation, in: file) }

    /// Returns a storage for one loop.
    func storage() -> RoomsFileStorage { RoomsFileStorage(file) { [self] in takeBlocks() } }

    /// Returns blocks for a loop; none if the file is full. To grow the file it waits for the disk, once for
    /// each step; other loops that need blocks meanwhile wait too.
    private func takeBlocks() -> [Int] {
        free.withLock { free in
            if free.blocks.isEmpty {
                let count = RoomsFileStorage.blockCount(of: file)
                let next = count + limits.stepBytes / (RoomBlock.words * MemoryLayout<UInt64>.stride)
                do throws(MappedFileError) {
                    try file.grow(to: (next + RoomsFileStorage.headerBlocks) * RoomBlock.words)
                    free.blocks = (count..<next).reversed()
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
