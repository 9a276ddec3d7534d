import Contract

extension RoomConnection {
    /// Calls the handler for each later message of that type, one after the other, until it is removed or the
    /// connection is closed. A slow handler delays nothing else: the messages that wait for it are bounded by
    /// `eventBuffer`, and the oldest are dropped. It runs outside the connection, and may call it.
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

    /// Removes a handler, which is not called any more once a running call has returned.
    public func remove(_ id: RouteID) { routes.removeValue(forKey: id.number)?.cancel() }
}
