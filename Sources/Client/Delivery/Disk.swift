import Glibc

/// The calls by which bytes get to the disk. A test gives others, to have it full or broken.
struct Disk: Sendable {
    /// As `write`: how many bytes were taken, or -1 and `errno`.
    var write: @Sendable (CInt, UnsafeRawBufferPointer) -> Int = { Glibc.write($0, $1.baseAddress, $1.count) }
    /// As `fdatasync`.
    var sync: @Sendable (CInt) -> CInt = { fdatasync($0) }
}
