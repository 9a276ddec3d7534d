import Reactor

/// The thread on which clients without a loop of their own do their work. Started when it is first needed.
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
