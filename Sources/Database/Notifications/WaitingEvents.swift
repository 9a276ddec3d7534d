import Synchronization

/// The bytes of the events that wait for one stream. Any thread may use it.
package final class WaitingEvents: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var bytes: Int { count.load(ordering: .relaxed) }

    func add(_ event: NotificationFeed.Event) { count.add(event.bytes.count, ordering: .relaxed) }

    /// Notes that the stream has taken an event.
    package func take(_ event: NotificationFeed.Event) {
        count.subtract(event.bytes.count, ordering: .relaxed)
    }
}
