import CLinux
import Glibc
import Synchronization

/// A file of words that is memory: what is stored in it outlives the process, however that ends, though not
/// the machine. One process at a time has it.
///
/// The disk's blocks are taken when the file grows, so that a full disk is an error there and never a signal
/// at a store. Unchecked: the address and the descriptor do not change, and words are touched by atomic loads
/// and stores only.
package final class MappedFile: @unchecked Sendable {
    /// The most bytes that the file can have. All of it has its addresses from the start, so that growing
    /// moves nothing.
    package let maximumBytes: Int
    private let descriptor: OwnedDescriptor
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let count = Atomic<Int>(0)
    private let growing = Lock(())

    /// Makes the file, readable by its owner alone, or opens what is there. It blocks.
    package init(opening path: String, maximumBytes: Int) throws(MappedFileError) {
        precondition(maximumBytes > 0 && maximumBytes % MemoryLayout<UInt64>.stride == 0, "whole words")
        self.maximumBytes = maximumBytes
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK
        descriptor = OwnedDescriptor(
            adopting: try Self.failing("open") { Glibc.open(path, flags, 0o600) })
        var status = stat()
        let raw = descriptor.raw
        try Self.failing("fstat") { fstat(raw, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard flock(raw, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK ? .inUse : .failed(.failed(call: "flock", errno: errno))
        }
        // Once more: it may have grown until it was ours.
        try Self.failing("fstat") { fstat(raw, &status) }
        guard status.st_size <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
        guard let start = mmap(nil, maximumBytes, PROT_READ | PROT_WRITE, MAP_SHARED, raw, 0),
            start != UnsafeMutableRawPointer(bitPattern: -1)
        else { throw .failed(.failed(call: "mmap", errno: errno)) }
        words = start.bindMemory(
            to: Atomic<UInt64>.self, capacity: maximumBytes / MemoryLayout<UInt64>.stride)
        // A hole in it would need a block of the disk at a store.
        try grow(to: Int(status.st_size) / MemoryLayout<UInt64>.stride)
    }

    deinit {
        munmap(words, maximumBytes)
        // Not only by closing it: a process that is just being started holds a copy of the descriptor until
        // it begins.
        flock(descriptor.raw, LOCK_UN)
    }

    /// Words that there are. From any thread.
    package var wordCount: Int { count.load(ordering: .acquiring) }

    /// From any thread.
    package func load(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < wordCount, "a word of the file")
        return words[index].load(ordering: .acquiring)
    }

    /// From any thread. Nobody sees it without the stores before it.
    package func store(_ value: UInt64, at index: Int) {
        precondition(index >= 0 && index < wordCount, "a word of the file")
        words[index].store(value, ordering: .releasing)
    }

    /// Adds words that are 0, until there are so many. It may wait for the disk.
    package func grow(to words: Int) throws(MappedFileError) {
        let (bytes, overflow) = words.multipliedReportingOverflow(by: MemoryLayout<UInt64>.stride)
        guard !overflow, bytes <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
        let raw = descriptor.raw
        let code: CInt = growing.withLock { _ in
            if bytes == 0 || words <= wordCount { return 0 }
            var code = EINTR
            while code == EINTR { code = posix_fallocate(raw, 0, bytes) }
            if code == 0 { count.store(words, ordering: .releasing) }
            return code
        }
        if code != 0 { throw .failed(.failed(call: "posix_fallocate", errno: code)) }
    }

    /// Removes all words. Nobody may use one meanwhile.
    package func empty() throws(MappedFileError) {
        count.store(0, ordering: .releasing)
        let raw = descriptor.raw
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
