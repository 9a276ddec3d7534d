/// A subscription to a `Broadcast`, which ends when it is deinitialised.
final class Subscription<Element: Sendable>: Sendable {
    let buffer: FeedBuffer<Element>
    private let end: @Sendable () -> Void

    init(_ buffer: FeedBuffer<Element>, end: @escaping @Sendable () -> Void) {
        self.buffer = buffer
        self.end = end
    }

    deinit { end() }
}
