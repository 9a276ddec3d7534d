package import Reactor
import Synchronization

/// The event loops that tests share.
package enum TestLoops {
    private static let own = Turns(name: "test")
    // With epoll what is not read stays in the kernel: a peer that closes then resets the connection.
    private static let far = Turns(name: "peer", .epoll)

    /// Returns the next loop, in turn, for the code under test.
    package static func next() -> EventLoop { own.next() }

    /// Returns the next loop for the far end of a socket, which continues where a test keeps its own loop
    /// busy.
    package static func nextPeer() -> EventLoop { far.next() }

    private final class Turns: Sendable {
        private let group: Result<EventLoopGroup, any Error>
        private let turn = Atomic<Int>(0)

        init(name: StaticString, _ mechanism: EventLoop.Mechanism = .standard) {
            group = Result { try EventLoopGroup(count: 2, name: "\(name)", mechanism) }
        }

        func next() -> EventLoop {
            switch group {
            case .success(let group):
                let index = turn.wrappingAdd(1, ordering: .relaxed).oldValue
                return group.loops[index % group.loops.count]
            case .failure(let error):
                fatalError("no event loop: \(error)")
            }
        }
    }
}
