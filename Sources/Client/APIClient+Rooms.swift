public import Contract

extension APIClient {
    /// One page of the caller's rooms, newest first.
    public func rooms(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> RoomList {
        try await fetch(
            RoomList.self, Routes.rooms, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    public func room(_ id: Identifier) async throws(ClientError) -> Room {
        try await fetch(Room.self, Routes.room(id))
    }

    /// The notifications between two numbers. The next page begins after the last one's number; newest first,
    /// it ends before it.
    public func notifications(
        after: Int64? = nil, before: Int64? = nil, order: NotificationOrder = .ascending, limit: Int? = nil
    ) async throws(ClientError) -> [UserNotification] {
        try await fetch(
            NotificationList.self, Routes.notifications,
            [
                ("after", after.map { String($0) }), ("before", before.map { String($0) }),
                ("order", order == .ascending ? nil : order.rawValue), ("limit", limit.map { String($0) }),
            ]
        ).notifications
    }

    /// Notifications as they come, without an end; `after`: also those that came after that number.
    public func events(after: Int64? = nil) -> NotificationStream {
        NotificationStream(api: self, after: after)
    }

    /// A stay in a room, as the account of this client. It connects when it is started.
    public func connection(
        in room: Identifier, configuration: ConnectionConfiguration? = nil
    ) throws(ClientError) -> RoomConnection {
        var usual = ConnectionConfiguration()
        usual.timeout = http.timeout
        return try RoomConnection(
            .room(room, server: server, token: token), loop: http.loop, trust: http.trust,
            configuration: configuration ?? usual)
    }
}
