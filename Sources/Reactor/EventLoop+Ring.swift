import CLinux
import Glibc

/// The loop on an io_uring: sockets are read and written by requests of the ring, and whatever else is
/// watched stays in the loop's epoll, which the ring watches.
extension EventLoop {
    /// How a loop waits for its descriptors.
    package enum Mechanism: String, CaseIterable, Sendable {
        /// io_uring where the kernel has what is needed and permits it, and else epoll.
        case automatic = "auto"
        case epoll
        case uring

        /// The mechanism of loops for which nothing else is said: that of `REACTOR` in the environment, and
        /// else epoll.
        package static let standard =
            ProcessEnvironment.current()["REACTOR"].flatMap { Mechanism(rawValue: $0) } ?? .epoll

        /// Returns the ring of a loop; nil for none.
        func ring(
            _ make: () throws(SystemError) -> Ring = { () throws(SystemError) in try Ring() }
        ) throws(SystemError) -> Ring? {
            switch self {
            case .epoll: nil
            case .uring: try make()
            case .automatic: try? make()
            }
        }
    }

    /// Waits in the ring, and handles what has completed.
    func wait(in ring: Ring, until due: UInt64?) {
        ring.enter(until: due)
        beginTurn()
        settle(ring)
        ring.take { completion in
            switch completion.token.kind {
            case .epoll:
                dispatchReady(within: 0)
                watchEpoll(ring)
            case .wakeup: if !completion.hasMore { watchWakeup(ring) }
            case .receive, .poll, .accept:
                if let handler = handler(of: completion.token) {
                    handler.completed(completion, in: ring)
                } else {
                    Self.drop(completion, in: ring)
                }
            case .send, .cancel, nil: break
            }
            interrupts.run()
        }
        assert(ring.borrowed == 0, "a buffer was not lent to the kernel again")
    }

    /// Drops the result of a request whose descriptor is watched no more.
    private static func drop(_ completion: Ring.Completion, in ring: Ring) {
        if let buffer = completion.buffer { ring.withBuffer(buffer, count: 0) { _ in } }
        if completion.token.kind == .accept, completion.result >= 0 { _ = Glibc.close(completion.result) }
    }

    /// Reports the outcome of submitted bytes to their streams. All of them know it before the first delegate
    /// is called.
    private func settle(_ ring: Ring) {
        if sending.isEmpty { return }
        ring.peek { completion in
            guard completion.token.kind == .send else { return }
            (handler(of: completion.token) as? Stream)?.sendFailed(completion.result)
        }
        var streams: [Stream] = []
        swap(&streams, &sending)
        for stream in streams { stream.settle() }
        for stream in streams { stream.tellSettled() }
        streams.removeAll(keepingCapacity: true)
        if sending.isEmpty { swap(&streams, &sending) }
    }
}
