import Glibc

/// The calls that write to the disk. A test replaces them to simulate a full or broken disk.
struct Disk: Sendable {
    /// Writes as `write` does: returns the number of bytes taken, or -1 and `errno`.
    var write: @Sendable (CInt, UnsafeRawBufferPointer) -> Int = { Glibc.write($0, $1.baseAddress, $1.count) }
    /// Synchronises as `fdatasync` does.
    var sync: @Sendable (CInt) -> CInt = { fdatasync($0) }
}
