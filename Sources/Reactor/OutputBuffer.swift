import CLinux
import Glibc

/// A contiguous buffer of bytes to send. It owns no memory while it is empty; the small block that it starts
/// with is the loop's.
///
/// Unsafe memory: `storage` has `capacity` bytes, and `0 <= head <= tail <= capacity` always holds.
struct OutputBuffer {
    private var storage: UnsafeMutableRawPointer?
    private var capacity: Int32 = 0
    private var head: Int32 = 0
    private var tail: Int32 = 0

    var count: Int { Int(tail - head) }

    /// The bytes of the memory that is more than a small block.
    var largeBytes: Int { Int(capacity) > OutputBlockPool.blockSize ? Int(capacity) : 0 }

    /// The address of the first byte, valid only while `count > 0`.
    var start: UnsafeMutableRawPointer? { storage.map { $0 + Int(head) } }

    mutating func append(_ bytes: RawSpan, pool: @autoclosure () -> OutputBlockPool) {
        let added = bytes.byteCount
        if added == 0 { return }
        // Usually they fit behind those that wait.
        if storage == nil || Int(capacity - tail) < added { grow(by: added, pool: pool()) }
        guard let storage else { return }
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress {
                (storage + Int(tail)).copyMemory(from: base, byteCount: added)
            }
        }
        tail += Int32(added)
    }

    mutating func consume(_ bytes: Int) { head += Int32(bytes) }

    /// Returns the memory to the pool or the allocator.
    mutating func release(to pool: OutputBlockPool) {
        guard let storage else { return }
        if Int(capacity) == OutputBlockPool.blockSize { pool.giveBack(storage) } else { storage.deallocate() }
        self = OutputBuffer()
    }

    /// Frees the memory, for an owner that outlived its loop.
    mutating func free() {
        storage?.deallocate()
        self = OutputBuffer()
    }

    /// Makes room for that many bytes behind those that wait.
    private mutating func grow(by added: Int, pool: OutputBlockPool) {
        let count = count
        precondition(added < 1 << 30 && count < 1 << 30, "writers bound what waits, far below this")
        let needed = count + added
        let isSmall = needed <= OutputBlockPool.blockSize
        let grown = isSmall ? OutputBlockPool.blockSize : max(2048, (needed + needed / 2 + 63) & ~63)
        let target = isSmall ? pool.take() : .allocate(byteCount: grown, alignment: 64)
        if let storage {
            target.copyMemory(from: storage + Int(head), byteCount: count)
            release(to: pool)
        }
        storage = target
        capacity = Int32(grown)
        head = 0
        tail = Int32(count)
    }
}
