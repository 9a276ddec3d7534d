/// A sequence of the elements from the moment it was made, for one `for await`. It ends with its source, or
/// when the reading task is cancelled.
///
/// Unread elements are kept up to a limit; past it the oldest are dropped.
public struct Feed<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    private let subscription: Subscription<Element>

    init(_ subscription: Subscription<Element>) { self.subscription = subscription }

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription<Element>

        public mutating func next() async -> Element? { await subscription.buffer.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await subscription.buffer.next()
        }
    }
}
