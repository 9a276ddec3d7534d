/// A sequence of the elements from the moment it was made, for one `for await`. It ends with its source, or
/// when the reading task is cancelled.
///
/// Unread elements wait in a buffer. Beyond its limit the oldest are dropped.
public struct Feed<Element: Sendable>: AsyncSequence, Sendable {
    /// A feed never throws.
    public typealias Failure = Never

    private let subscription: Subscription<Element>

    init(_ subscription: Subscription<Element>) { self.subscription = subscription }

    /// Returns the iterator, for one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    /// An iterator of the elements.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription<Element>

        /// Returns the next element, after a wait if there is none; nil at the end.
        public mutating func next() async -> Element? { await subscription.buffer.next() }

        /// Returns the next element without leaving the caller's actor; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await subscription.buffer.next()
        }
    }
}
