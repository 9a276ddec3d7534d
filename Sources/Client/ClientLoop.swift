import Contract
import Glibc
import Reactor

/// The threads that all clients of the process share. Each is started when it is first needed.
enum ClientLoop {
    private static let network = start("client") { .network("The network cannot be used: \($0).") }

    private static let files = start("client-disk") {
        .storage("There is no thread for the queue's file: \($0).")
    }.map { group in
        // A limit on file sizes is then an error of the write, and does not end the process.
        group.loops[0].execute { SignalWatcher.block([SIGXFSZ]) }
        return group
    }

    /// Returns the loop of clients that have none of their own.
    static func shared() throws(ClientError) -> EventLoop { try network.get().loops[0] }

    /// Returns the loop for the disk work of all queues, which is done in order. No connection lives there,
    /// so that a slow disk delays no heartbeat.
    static func disk() throws(ClientError) -> EventLoop { try files.get().loops[0] }

    private static func start(
        _ name: String, failure: (SystemError) -> ClientError
    ) -> Result<EventLoopGroup, ClientError> {
        Result { () throws(SystemError) in try EventLoopGroup(count: 1, name: name) }.mapError(failure)
    }
}
