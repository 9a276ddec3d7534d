import CLinux
import Contract
import Glibc
import Reactor

/// The disk form of a queue: a file to which each change is appended.
///
/// - A record whose changes must last is written and synchronised before `append` returns.
/// - A failed write is cut off again, so that the file ends with a complete record; a record that a crash cut
///   short is cut off when the file is next opened.
/// - An empty queue truncates the file to its signature. A file that is mostly history is rewritten beside
///   itself and renamed into place.
/// - `PATH.lock` is locked while the journal is open, and never removed: removing it would let two processes
///   in.
final class OutgoingJournal: Sendable {
    /// The size in bytes below which history is not worth rewriting the file.
    static let tidyBytes = 64 * 1024
    /// The most bytes of a journal: a thousand messages have 5 MiB at most, and history four times that.
    static let maximumBytes = 256 * 1024 * 1024

    private struct State {
        var descriptor: CInt
        /// The length of the file up to the end of its complete records.
        var length: Int
        /// Whether incomplete bytes may follow the complete records.
        var isUnclean = false
        /// The length from which on the file is next rewritten.
        var tidyAt = tidyBytes
    }

    /// The messages in the file when it was opened.
    let recovered: [OutgoingMessage]
    private let path: String
    private let disk: Disk
    private let lock: FileLock
    private let state: Lock<State>

    init(_ path: String, disk: Disk = Disk()) throws(ClientError) {
        self.path = path
        self.disk = disk
        let files = JournalFiles(path: path)
        lock = try files.lock()
        let file = try files.open()
        switch JournalScan(try files.read(file.raw)) {
        case .messages(let messages, let length):
            try files.protect(file.raw)
            recovered = messages
            // An incomplete tail has to be cut off before the next record.
            state = Lock(State(descriptor: file.release(), length: length, isUnclean: true))
            if length == 0 { try begin() }
        case .foreign:
            throw .storage("\(path) is no queue of this program. Give another path; it was left as it is.")
        case .damaged(let position):
            throw files.putAside(damagedAt: position)
        }
    }

    deinit { state.withLock { _ = close($0.descriptor) } }

    /// Adds one record; a crash leaves all of it or nothing. With `isDurable`, it is on the disk on return.
    func append(_ changes: [OutgoingChange], isDurable: Bool) throws(ClientError) {
        let record = JournalRecord.encode(changes)
        try state.withLock { state throws(ClientError) in try write(record, isDurable, &state) }
    }

    /// Truncates the file to its signature, when no message waits. This needs no disk space.
    func clear() throws(ClientError) {
        try state.withLock { state throws(ClientError) in
            state.isUnclean = true
            state.length = JournalScan.signature.count
            try clean(&state)
        }
    }

    /// Rewrites the file if it is mostly history. After a failure the old file stays in use.
    func tidy(_ messages: [OutgoingMessage]) {
        state.withLock { state in
            guard state.length > state.tidyAt else { return }
            var bytes = JournalScan.signature
            for message in messages { bytes += JournalRecord.encode([.add(message)]) }
            if bytes.count < state.length / 2,
                let file = JournalFiles(path: path).replace(with: bytes, disk)
            {
                _ = close(state.descriptor)
                state = State(descriptor: file, length: bytes.count)
            }
            state.tidyAt = max(Self.tidyBytes, state.length * 2)
        }
    }

    private func begin() throws(ClientError) {
        try state.withLock { state throws(ClientError) in
            try write(JournalScan.signature, true, &state)
        }
        JournalFiles(path: path).synchroniseFolder()
    }

    private func write(_ bytes: [UInt8], _ isDurable: Bool, _ state: inout State) throws(ClientError) {
        try clean(&state)
        state.isUnclean = true
        guard bytes.writeAll(to: state.descriptor, disk), !isDurable || disk.sync(state.descriptor) == 0
        else {
            let cause = errno
            // If this fails too, the next write tries it again first.
            try? clean(&state)
            throw failure(cause)
        }
        state.isUnclean = false
        state.length += bytes.count
    }

    /// Cuts off incomplete bytes.
    private func clean(_ state: inout State) throws(ClientError) {
        guard state.isUnclean else { return }
        guard ftruncate(state.descriptor, state.length) == 0 else { throw failure(errno) }
        state.isUnclean = false
    }

    private func failure(_ code: CInt) -> ClientError {
        .storage(
            "The queue \(path) cannot be written: \(String(cString: strerror(code))). "
                + "What it took before is kept.")
    }
}

extension [UInt8] {
    /// Whether the disk took all bytes; if not, `errno` has the reason.
    func writeAll(to descriptor: CInt, _ disk: Disk) -> Bool {
        withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = disk.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }
}
