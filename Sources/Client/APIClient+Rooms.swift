public import Contract

extension APIClient {
    /// Returns the number of people in rooms, and the ways to sign up. It needs no token.
    public func now() async throws(ClientError) -> PeopleNow { try await fetch(PeopleNow.self, Routes.now) }

    /// Returns one page of the caller's rooms, newest first.
    public func rooms(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> RoomList {
        try await fetchPage(RoomList.self, Routes.rooms, limit, cursor)
    }

    /// Returns one of the caller's rooms. Throws the problem `notFound` for another id.
    public func room(_ id: Identifier) async throws(ClientError) -> Room {
        try await fetch(Room.self, Routes.room(id))
    }

    /// Returns the stored notifications between two ids, `limit` at most (1 to 200, by default 50). For the
    /// next page pass the last id as `after`, or as `before` if the newest come first.
    public func notifications(
        after: Int64? = nil, before: Int64? = nil, order: NotificationOrder = .ascending,
        types: [NotificationType]? = nil, limit: Int? = nil
    ) async throws(ClientError) -> [UserNotification] {
        try await fetch(
            NotificationList.self, Routes.notifications,
            [
                ("after", after.map { String($0) }), ("before", before.map { String($0) }),
                ("order", order == .ascending ? nil : order.rawValue),
                ("types", types.map { $0.map(\.rawValue).joined(separator: ",") }),
                ("limit", limit.map { String($0) }),
            ]
        ).notifications
    }

    /// Returns an endless stream of notifications: those after the id `after`, or from now on; of all types,
    /// or of `types` only.
    public func events(
        after: Int64? = nil, types: [NotificationType]? = nil
    ) -> NotificationStream {
        NotificationStream(api: self, after: after, types: types)
    }

    /// Returns a connection to a room, which connects when it is started. With a token source it continues
    /// after a 401 or the close code 1008 with the next token of the source, and keeps its queue.
    public func connection(
        in room: Identifier, configuration: ConnectionConfiguration? = nil
    ) throws(ClientError) -> RoomConnection {
        var usual = ConnectionConfiguration()
        usual.timeout = http.timeout
        return try RoomConnection(
            .room(room, server: server, token: nil), loop: http.loop, trust: http.trust, tokens: tokens,
            language: language, configuration: configuration ?? usual)
    }
}
