import CLinux
import Glibc
import Reactor
import TestKit

/// A named pipe that is full, with a reader that never reads: every writer waits.
final class FullPipe: Sendable {
    let path: String
    private let ends: [OwnedEnd]

    private final class OwnedEnd: Sendable {
        let descriptor: OwnedDescriptor

        init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
    }

    init(in folder: TemporaryFolder) throws {
        let path = folder.path + "/full"
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw TestError("mkfifo: \(errno)") }
        // The flags are for these two ends alone: each opening of a pipe has its own.
        let flags = O_NONBLOCK | O_CLOEXEC
        let reader = OwnedDescriptor(adopting: try system("open") { open(path, O_RDONLY | flags) })
        let writer = OwnedDescriptor(adopting: try system("open") { open(path, O_WRONLY | flags) })
        let bytes = [UInt8](repeating: 0x2E, count: 4096)
        // Whole pages are written first, then the rest of the last one.
        while write(writer.raw, bytes, bytes.count) > 0 {}
        while write(writer.raw, bytes, 1) > 0 {}
        ends = [OwnedEnd(reader), OwnedEnd(writer)]
    }
}
