/// One who listens to a `Broadcast`, until it goes away.
final class Subscription<Element: Sendable>: Sendable {
    let buffer: FeedBuffer<Element>
    private let end: @Sendable () -> Void

    init(_ buffer: FeedBuffer<Element>, end: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.end = end
    }

    deinit { end() }
}
