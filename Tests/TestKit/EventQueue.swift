/// A queue of events at virtual instants, ordered by instant and then by insertion.
package struct EventQueue<World: Actor> {
    package struct Event {
        /// The instant, in microseconds since the beginning of the simulation.
        package var due: Int64
        var number: Int
        package var body: @Sendable (isolated World) -> Void
    }

    private var heap: [Event] = []
    private var count = 0

    package init() {}

    package var isEmpty: Bool { heap.isEmpty }

    package mutating func add(at due: Int64, _ body: @escaping @Sendable (isolated World) -> Void) {
        count += 1
        heap.append(Event(due: due, number: count, body: body))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if Self.isOrdered(heap[parent], heap[child]) { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    package mutating func pop() -> Event? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if heap.isEmpty { return first }
        heap[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            if child >= heap.count { return first }
            if child + 1 < heap.count && Self.isOrdered(heap[child + 1], heap[child]) { child += 1 }
            if Self.isOrdered(heap[parent], heap[child]) { return first }
            heap.swapAt(child, parent)
            parent = child
        }
    }

    private static func isOrdered(_ one: Event, _ other: Event) -> Bool {
        one.due == other.due ? one.number < other.number : one.due < other.due
    }
}
