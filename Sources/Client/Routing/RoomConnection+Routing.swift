import Contract

extension RoomConnection {
    /// Calls the handler for each message of that type from now on, one after the other, until it is removed
    /// or the connection is closed. A slow one holds up nobody: what waits for it is bounded by
    /// `eventBuffer`, and the oldest messages give way. It runs outside the connection, and may call it.
    @discardableResult
    public func on<Payload>(
        _ route: MessageRoute<Payload>, _ handler: @escaping @Sendable (Payload) async -> Void
    ) -> RouteID {
        lastRoute += 1
        let id = RouteID(number: lastRoute)
        let messages = messages
        routes[id.number] = Task.detached {
            for await message in messages {
                if let payload = route.payload(message) { await handler(payload) }
            }
        }
        return id
    }

    /// The handler is called no more, once a call that is under way has returned.
    public func remove(_ id: RouteID) { routes.removeValue(forKey: id.number)?.cancel() }
}
