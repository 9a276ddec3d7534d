/// A loop's pool of small blocks for output; a stream holds one only while it has something to send.
///
/// Blocks are of one size and 64-aligned, but not a power of two apart, so that the first lines of many
/// blocks do not fall into the same cache set.
final class OutputBlockPool {
    static let blockSize = 576
    private static let keptAtMost = 4096
    private var free: [UnsafeMutableRawPointer] = []

    func take() -> UnsafeMutableRawPointer {
        free.popLast() ?? .allocate(byteCount: Self.blockSize, alignment: 64)
    }

    func giveBack(_ block: UnsafeMutableRawPointer) {
        if free.count < Self.keptAtMost { free.append(block) } else { block.deallocate() }
    }

    deinit { for block in free { block.deallocate() } }
}
