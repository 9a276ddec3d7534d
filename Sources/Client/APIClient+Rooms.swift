public import Contract

extension APIClient {
    /// Returns one page of the caller's rooms, newest first.
    public func rooms(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> RoomList {
        try await fetch(
            RoomList.self, Routes.rooms, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    public func room(_ id: Identifier) async throws(ClientError) -> Room {
        try await fetch(Room.self, Routes.room(id))
    }

    /// Returns the notifications between two numbers. The next page begins after the number of the last one
    /// or, if newest first, ends before it.
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

    /// Returns an endless stream of notifications; with `after`, starting with those after that number.
    public func events(after: Int64? = nil) -> NotificationStream {
        NotificationStream(api: self, after: after)
    }

    /// Returns a connection to a room for the account of this client. It connects when it is started.
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
