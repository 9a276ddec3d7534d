/// The timers of one loop, as a binary heap by due time.
struct TimerQueue {
    private var heap: [EventLoop.Timer] = []

    /// The due time of the first timer, in monotonic nanoseconds.
    var nextDue: UInt64? { heap.first?.due }

    mutating func insert(_ timer: EventLoop.Timer) {
        heap.append(timer)
        timer.position = heap.count - 1
        siftUp(heap.count - 1)
    }

    /// Removes a timer, if it is still pending.
    mutating func remove(_ timer: EventLoop.Timer) {
        guard let position = timer.position, position < heap.count, heap[position] === timer else { return }
        move(heap.count - 1, to: position)
        heap.removeLast()
        timer.position = nil
        if position < heap.count {
            siftDown(position)
            siftUp(position)
        }
    }

    /// Removes and returns the first timer, if it is due at `now`.
    mutating func popDue(at now: UInt64) -> EventLoop.Timer? {
        guard let first = heap.first, first.due <= now else { return nil }
        remove(first)
        return first
    }

    private mutating func move(_ source: Int, to target: Int) {
        guard source != target else { return }
        heap.swapAt(source, target)
        heap[source].position = source
        heap[target].position = target
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            move(child, to: parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].due < heap[left].due ? right : left
            guard heap[child].due < heap[parent].due else { return }
            move(child, to: parent)
            parent = child
        }
    }
}
