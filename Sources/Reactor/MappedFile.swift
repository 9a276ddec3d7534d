import CLinux
import Glibc
import Synchronization

/// A file of words that is mapped into memory. Its content outlives the process, however that ends, but not a
/// crash of the machine. One process at a time may have it open.
///
/// The disk's blocks are allocated when the file grows, so that a full disk is an error then, and never a
/// signal at a store. If another program truncates the file, words past its end are 0 from then on, and are
/// kept in memory only. Unchecked: the address and the descriptor do not change, and words are touched by
/// atomic loads and stores only.
package final class MappedFile: @unchecked Sendable {
    /// The most bytes that the file can have. All addresses are reserved at the start, so that growing moves
    /// nothing.
    package let maximumBytes: Int
    private let file: FileLock
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let count = Atomic<Int>(0)
    private let growing = Lock(())
    /// The place by which `LostPages` knows the mapping; nil if it is not covered.
    private let place: Int?

    /// Opens the file, or creates it, readable by its owner only. It blocks.
    package init(opening path: String, maximumBytes: Int) throws(MappedFileError) {
        precondition(maximumBytes > 0 && maximumBytes % MemoryLayout<UInt64>.stride == 0, "whole words")
        self.maximumBytes = maximumBytes
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK
        let descriptor = OwnedDescriptor(
            adopting: try Self.failing("open") { Glibc.open(path, flags, 0o600) })
        var status = stat()
        let raw = descriptor.raw
        try Self.failing("fstat") { fstat(raw, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        do throws(SystemError) {
            file = try FileLock(of: descriptor)
        } catch {
            throw error.code == EWOULDBLOCK ? .inUse : .failed(error)
        }
        // The size is read again, since the file may have grown before the lock was taken.
        try Self.failing("fstat") { fstat(raw, &status) }
        guard status.st_size <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
        guard let start = mmap(nil, maximumBytes, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0),
            start != UnsafeMutableRawPointer(bitPattern: -1)
        else { throw .failed(.failed(call: "mmap", errno: errno)) }
        words = start.bindMemory(
            to: Atomic<UInt64>.self, capacity: maximumBytes / MemoryLayout<UInt64>.stride)
        place = LostPages.begin(start, bytes: maximumBytes)
        // A hole in the file would need a block of the disk at a store.
        try grow(to: Int(status.st_size) / MemoryLayout<UInt64>.stride)
    }

    deinit {
        if let place { LostPages.end(place) }
        munmap(words, maximumBytes)
    }

    /// Whether words were lost, since another program has truncated the file.
    package var isTruncated: Bool { place.map(LostPages.isLost) ?? false }

    /// The number of words. It may be read on any thread.
    package var wordCount: Int { count.load(ordering: .acquiring) }

    /// Returns a word. It may be called on any thread.
    package func load(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < wordCount, "a word of the file")
        return words[index].load(ordering: .acquiring)
    }

    /// Stores a word, with release ordering. It may be called on any thread.
    package func store(_ value: UInt64, at index: Int) {
        precondition(index >= 0 && index < wordCount, "a word of the file")
        words[index].store(value, ordering: .releasing)
    }

    /// Appends words that are 0, up to the given number. It may wait for the disk.
    package func grow(to words: Int) throws(MappedFileError) {
        let (bytes, overflow) = words.multipliedReportingOverflow(by: MemoryLayout<UInt64>.stride)
        guard !overflow, bytes <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
        let raw = file.raw
        let code: CInt = growing.withLock { _ in
            if bytes == 0 || words <= wordCount { return 0 }
            var code = EINTR
            while code == EINTR { code = posix_fallocate(raw, 0, bytes) }
            if code == 0 { count.store(words, ordering: .releasing) }
            return code
        }
        if code != 0 { throw .failed(.failed(call: "posix_fallocate", errno: code)) }
    }

    /// Removes all words. No word may be used meanwhile.
    package func empty() throws(MappedFileError) {
        count.store(0, ordering: .releasing)
        let raw = file.raw
        try Self.failing("ftruncate") { ftruncate(raw, 0) }
    }

    @discardableResult
    private static func failing(_ call: StaticString, _ body: () -> CInt) throws(MappedFileError) -> CInt {
        do throws(SystemError) {
            return try system(call, body)
        } catch {
            throw .failed(error)
        }
    }
}
