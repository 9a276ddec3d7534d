import Glibc
import Reactor
import TestKit
import Testing

@Suite("A lock of a file")
struct FileLockTests {
    private static func lock(_ path: String) throws(SystemError) -> FileLock {
        try FileLock(
            of: OwnedDescriptor(
                adopting: try system("open") { Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }))
    }

    @Test("is one holder's, and the next one's when it is released, though a copy of its descriptor is left")
    func copied() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/lock"
        var copy: CInt = -1
        defer { close(copy) }
        do {
            let first = try Self.lock(path)
            copy = fcntl(first.raw, F_DUPFD_CLOEXEC, 0)
            #expect(Self.isTaken(path))
        }
        #expect(!Self.isTaken(path))
    }

    @Test("can be ended while the file stays open")
    func unlocked() throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/lock"
        let first = try Self.lock(path)
        first.unlock()
        #expect(!Self.isTaken(path))
        var status = stat()
        #expect(fstat(first.raw, &status) == 0)
    }

    /// Whether a process has the lock of the file.
    private static func isTaken(_ path: String) -> Bool {
        do throws(SystemError) {
            _ = try lock(path)
            return false
        } catch {
            return error.code == EWOULDBLOCK
        }
    }
}
