import Contract
import Glibc
import Reactor

/// The thread for the disk work of all queues in this process, which is done in order. No connection lives
/// there, so that a slow disk delays no heartbeat.
enum DiskLoop {
    private static let group = Result { () throws(SystemError) in
        let group = try EventLoopGroup(count: 1, name: "client-disk")
        // A limit on file sizes is then an error of the write, and does not end the process.
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
