import CLinux
import Glibc
import Logging
import Reactor

/// A running PostgreSQL on the cluster's data, which this server started or took over.
final class Postmaster: Sendable {
    /// The longest time for which a PostgreSQL that calls itself ready may not answer.
    static let answerLimit = Duration.seconds(120)
    /// The time between two lines of the log about a start that takes long.
    private static let noteInterval = Duration.seconds(30)
    private static let fastStopLimit = Duration.seconds(15)
    private static let hardStopLimit = Duration.seconds(5)
    private static let pause = Duration.milliseconds(20)

    let process: ProcessReference
    let socketFolder: String

    /// Returns a PostgreSQL that still runs on the data, as after a server was killed. It waits until
    /// PostgreSQL is ready, or gone (nil). It blocks.
    package static func running(
        over data: String, isCancelled: () -> Bool = { false }
    ) throws(ClusterError) -> Postmaster? {
        guard let file = try PostmasterFile.read(in: data) else { return nil }
        guard let process = try? ProcessReference(processID: file.processID),
            isPostgres(file.processID, over: data)
        else {
            // No process has the number, or another program has it now: PostgreSQL would wait for that one
            // for ever.
            unlink(PostmasterFile.path(in: data))
            return nil
        }
        if let postmaster = Postmaster(process, over: data, isCancelled: isCancelled) { return postmaster }
        if isCancelled() { throw .cancelled }
        if access(PostmasterFile.path(in: data), F_OK) != 0 { return nil }
        throw .didNotStart(
            reason: "process \(file.processID) has the data and does not answer", log: data)
    }

    /// Removes the lock files of a PostgreSQL that has ended. If another process has the number in such a
    /// file by now, PostgreSQL would take it for the earlier one, and not start. The caller has DATA_DIR, so
    /// no other server starts PostgreSQL here. It blocks.
    static func removeStaleLocks(over data: String, socketFolder: String) {
        let socket = ClusterPlace.socketPath(in: socketFolder)
        let isSilent = SocketProbe.listener(at: socket) == nil
        if isSilent { unlink("\(socket).lock") }
        do throws(ClusterError) {
            let file = try PostmasterFile.read(in: data)
            let isStale = file.map { !isPostgres($0.processID, over: data) } ?? isSilent
            if isStale { unlink(PostmasterFile.path(in: data)) }
        } catch {
            // PostgreSQL refuses to start over a file that is not its own, and gives the reason.
        }
    }

    /// Waits until the process accepts connections; nil if it has ended, does not answer though it is ready,
    /// or `isCancelled` returns true. As long as PostgreSQL starts it is waited for, since it may recover
    /// from a crash, and would have to begin again. It blocks.
    init?(
        _ process: consuming ProcessReference, over data: String,
        answerLimit: Duration = Postmaster.answerLimit, isCancelled: () -> Bool
    ) {
        let begun = Monotonic.nanoseconds()
        var (readySince, notes): (UInt64?, UInt64) = (nil, 0)
        while !isCancelled() {
            let now = Monotonic.nanoseconds()
            // A file that is being written may not be readable yet.
            if let file = try? PostmasterFile.read(in: data), file.isReady,
                file.processID == process.processID
            {
                if SocketProbe.listener(at: ClusterPlace.socketPath(in: file.socketFolder)) == file.processID
                {
                    self.process = process
                    socketFolder = file.socketFolder
                    return
                }
                let since = readySince ?? now
                if now - since > answerLimit.clampedNanoseconds { return nil }
                readySince = since
            }
            if (now - begun) / Self.noteInterval.clampedNanoseconds > notes {
                notes += 1
                Log.info(
                    "waiting for the private database, which may be recovering",
                    ["seconds": (now - begun) / 1_000_000_000])
            }
            if process.waitUntilEnded(atMost: Self.pause) {
                // A zombie that is not reaped keeps its number, and PostgreSQL takes it for a running server.
                if let file = try? PostmasterFile.read(in: data), file.processID == process.processID {
                    unlink(PostmasterFile.path(in: data))
                }
                return nil
            }
        }
        return nil
    }

    /// Ends all sessions and stops in order (SIGINT); if that hangs, stops at once, so that the next start
    /// needs recovery. It blocks.
    package func stop() {
        process.signal(SIGINT)
        if process.waitUntilEnded(atMost: Self.fastStopLimit) { return }
        process.signal(SIGQUIT)
        _ = process.waitUntilEnded(atMost: Self.hardStopLimit)
    }

    /// Whether the process is a PostgreSQL on this data, as far as its folder can be read.
    private static func isPostgres(_ processID: pid_t, over data: String) -> Bool {
        guard let name = try? SmallFile.read("/proc/\(processID)/comm"), name.hasPrefix("post") else {
            return false
        }
        guard let folder = realpath("/proc/\(processID)/cwd", nil) else { return true }
        defer { free(folder) }
        return String(cString: folder) == data
    }
}
