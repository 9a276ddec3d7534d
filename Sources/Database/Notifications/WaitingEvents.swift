import Reactor
import Synchronization

/// The bytes of the events that wait for one stream. Any thread may use it.
package final class WaitingEvents: Sendable {
    private let count = Atomic<Int>(0)
    private let stream = Lock<NotificationFeed.Events.Continuation?>(nil)

    package init() {}

    package var bytes: Int { count.load(ordering: .relaxed) }

    /// Notes the stream for which the events wait.
    func wait(for stream: NotificationFeed.Events.Continuation) { self.stream.withLock { $0 = stream } }

    /// Ends the stream after the events that wait.
    package func end() { stream.withLock { $0 }?.finish() }

    func add(_ event: NotificationFeed.Event) { count.add(event.bytes.count, ordering: .relaxed) }

    /// Notes that the stream has taken an event.
    package func take(_ event: NotificationFeed.Event) {
        count.subtract(event.bytes.count, ordering: .relaxed)
    }
}
