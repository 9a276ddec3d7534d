package import Reactor
import Synchronization

/// Event loops that the tests of a process share.
package enum TestLoops {
    private static let group = Result { try EventLoopGroup(count: 2, name: "test") }
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
