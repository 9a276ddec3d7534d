public import Contract
import Reactor

extension APIClient {
    /// Returns the caller's open room, or waits for the next one to open. Reconnects by itself while it
    /// waits.
    ///
    /// Throws `timedOut` after the timeout, `cancelled`, or the error that ends a stream of notifications.
    public func waitForRoom(timeout: Duration? = nil) async throws(ClientError) -> Room {
        let result = await withTaskGroup(of: Result<Room, ClientError>?.self) { group in
            group.addTask { await Result { () async throws(ClientError) in try await self.openedRoom() } }
            if let timeout {
                group.addTask {
                    do { try await Task.sleep(for: timeout) } catch { return nil }
                    return .failure(.timedOut)
                }
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        guard let first = result, let result = first else { throw .cancelled }
        return try result.get()
    }

    private func openedRoom() async throws(ClientError) -> Room {
        var events = events().makeAsyncIterator()
        while let event = try await events.next(isolation: nil) {
            switch event {
            // The stream is connected before the question, so that no opening falls between the two.
            case .connected:
                let now = Timestamp(microseconds: WallClock.microseconds())
                if let room = try await openRoom(at: now) { return room }
            case .notification(let notification):
                if let open = notification.data.openRoom { return try await room(open.roomId) }
            case .interrupted: continue
            }
        }
        throw .cancelled
    }

    /// Returns the caller's room that is open at that time; nil if there is none.
    package func openRoom(at now: Timestamp) async throws(ClientError) -> Room? {
        // A listed room has opened, even if this machine's clock is behind.
        let open = try await rooms(limit: 10).rooms.filter { now < $0.closesAt }
        return open.min { $0.closesAt < $1.closesAt }
    }
}
