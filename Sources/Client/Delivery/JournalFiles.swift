import CLinux
import Contract
import Glibc
import Reactor

/// The files of a journal: the journal, its lock, its replacement, and damaged journals that were put aside.
struct JournalFiles {
    let path: String

    /// Locks the journal: only one process, and only one queue in it, has a journal open.
    func lock() throws(ClientError) -> FileLock {
        let file = OwnedDescriptor(adopting: try open("\(path).lock", O_RDWR | O_CREAT))
        do throws(SystemError) {
            return try FileLock(of: file)
        } catch {
            guard error.code == EWOULDBLOCK else { throw failure("locked", error.code) }
            throw .storage("The queue \(path) is in use by another process. Give each its own.")
        }
    }

    /// Opens the journal for appending, so that each write goes to the end even after a truncation.
    func open() throws(ClientError) -> OwnedDescriptor {
        let file = OwnedDescriptor(adopting: try open(path, O_RDWR | O_CREAT | O_APPEND))
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw failure("opened", errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= OutgoingJournal.maximumBytes else {
            throw .storage("\(path) is no queue of this program. Give another path; it was left as it is.")
        }
        return file
    }

    /// Restricts the file to its owner, whichever process created it, since messages are private.
    func protect(_ descriptor: CInt) throws(ClientError) {
        guard fchmod(descriptor, 0o600) == 0 else { throw failure("opened", errno) }
    }

    func read(_ descriptor: CInt) throws(ClientError) -> [UInt8] {
        do throws(SystemError) {
            return try SmallFile.bytes(of: descriptor, limit: OutgoingJournal.maximumBytes)
        } catch {
            throw failure("read", error.code)
        }
    }

    /// Replaces the journal by a new file with these bytes; returns nil if the old one is still there.
    func replace(with bytes: [UInt8], _ disk: Disk) -> CInt? {
        let name = "\(path).new"
        unlink(name)
        guard let raw = try? open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND) else { return nil }
        let file = OwnedDescriptor(adopting: raw)
        guard bytes.writeAll(to: file.raw, disk), disk.sync(file.raw) == 0, rename(name, path) == 0 else {
            unlink(name)
            return nil
        }
        synchroniseFolder()
        return file.release()
    }

    /// Renames the journal to a free name, and returns the error that names it.
    func putAside(damagedAt position: Int) -> ClientError {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
        let name = "\(path).damaged-\(number)"
        guard rename(path, name) == 0 else { return failure("put aside, though it is damaged", errno) }
        return .storage(
            "The queue \(path) is damaged at byte \(position), and was put aside as \(name). "
                + "The next try begins with an empty queue; what the damaged one held was not sent.")
    }

    /// Synchronises the folder, so that the file's name survives a loss of power. A failure is ignored, since
    /// the file works all the same.
    func synchroniseFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        try? synchronise(folder: folder)
    }

    private func open(_ name: String, _ flags: CInt) throws(ClientError) -> CInt {
        while true {
            let descriptor = Glibc.open(name, flags | O_CLOEXEC, 0o600)
            if descriptor >= 0 { return descriptor }
            if errno != EINTR { throw failure("opened", errno) }
        }
    }

    private func failure(_ what: String, _ code: CInt) -> ClientError {
        .storage("The queue \(path) cannot be \(what): \(String(cString: strerror(code))).")
    }
}
