package import Reactor
import Synchronization

/// A connection to another server that has switched protocols. Nothing is read until it is taken. It is
/// closed if it is released before it is taken.
package final class OpenLink: Sendable {
    private let loop: EventLoop
    private let stream: LoopBound<Stream>
    private let early: [UInt8]
    /// The descriptor of the connection in the budget; nil if it is not counted.
    private let descriptor: DescriptorBudget.Lease?
    private let isTaken = Atomic<Bool>(false)

    /// Keeps a paused stream, and the bytes that came behind the head. Loop only.
    init(_ stream: Stream, early: [UInt8], _ descriptor: DescriptorBudget.Lease?) {
        loop = stream.loop
        self.stream = LoopBound(stream, to: stream.loop)
        self.early = early
        self.descriptor = descriptor
    }

    deinit { close() }

    /// Returns the paused stream to its one owner, the bytes that came behind the head, and the descriptor in
    /// the budget; nil if the connection has ended, or was taken. Loop only.
    package func take() -> (stream: Stream, early: [UInt8], descriptor: DescriptorBudget.Lease?)? {
        let stream = stream.value
        guard stream.isOpen, !isTaken.exchange(true, ordering: .relaxed) else { return nil }
        return (stream, early, descriptor)
    }

    /// Closes the connection, unless it was taken. Any thread may call it.
    package func close() {
        guard !isTaken.exchange(true, ordering: .relaxed) else { return }
        loop.execute { [stream] in stream.value.close() }
    }
}
