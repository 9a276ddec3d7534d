import Contract
import Reactor

/// The thread of all clients that have no loop of their own. It is started when it is first needed.
enum ClientLoop {
    private static let group = Result { () throws(SystemError) in
        try EventLoopGroup(count: 1, name: "client")
    }

    static func shared() throws(ClientError) -> EventLoop {
        do throws(SystemError) {
            return try group.get().loops[0]
        } catch {
            throw .network("The network cannot be used: \(error).")
        }
    }
}
