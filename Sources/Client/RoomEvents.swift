/// The events of a session, for `for try await`. They can be read once.
public struct RoomEvents: AsyncSequence, Sendable {
    let session: RoomSession

    public func makeAsyncIterator() -> Iterator { Iterator(session: session) }

    public struct Iterator: AsyncIteratorProtocol {
        let session: RoomSession

        public mutating func next() async throws -> RoomEvent? { try await session.next() }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> RoomEvent? {
            try await session.next()
        }
    }
}
