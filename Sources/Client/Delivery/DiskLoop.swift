import Glibc
import Reactor

/// The thread on which the queues of this process do their work on disk, in the order in which it comes. No
/// connection lives there, so that a disk that takes its time holds up nobody's heart.
enum DiskLoop {
    private static let group = Result { () throws(SystemError) in
        let group = try EventLoopGroup(count: 1, name: "client-disk")
        // A limit on the sizes of files is an error of the write then, and not the end of the process.
        group.loops[0].execute { SignalWatcher.block([SIGXFSZ]) }
        return group
    }

    static func shared() throws(ClientError) -> EventLoop {
        do throws(SystemError) {
            return try group.get().loops[0]
        } catch {
            throw .storage("There is no thread for the queue's file: \(error).")
        }
    }
}
