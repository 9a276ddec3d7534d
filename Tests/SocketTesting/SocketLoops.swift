package import Reactor
import Synchronization

/// The loops of the far ends, shared by the tests of a process.
package enum SocketLoops {
    private static let group = Result { try EventLoopGroup(count: 2, name: "peer") }
    private static let turn = Atomic<Int>(0)

    /// One loop after the other.
    package static func next() -> EventLoop {
        switch group {
        case .success(let group):
            let index = turn.wrappingAdd(1, ordering: .relaxed).oldValue
            return group.loops[index % group.loops.count]
        case .failure(let error):
            fatalError("no event loop: \(error)")
        }
    }
}
