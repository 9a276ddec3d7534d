public import Contract

extension APIClient {
    /// Returns how many people are in rooms now. It needs no token.
    public func now() async throws(ClientError) -> PeopleNow { try await fetch(PeopleNow.self, Routes.now) }

    /// Returns one page of the caller's rooms, newest first.
    public func rooms(limit: Int? = nil, cursor: String? = nil) async throws(ClientError) -> RoomList {
        try await fetch(
            RoomList.self, Routes.rooms, [("limit", limit.map { String($0) }), ("cursor", cursor)])
    }

    /// Returns one of the caller's rooms. Throws the problem `notFound` for another id.
    public func room(_ id: Identifier) async throws(ClientError) -> Room {
        try await fetch(Room.self, Routes.room(id))
    }

    /// Returns the notifications between two numbers. The next page begins after the number of the last one
    /// or, if newest first, ends before it.
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

    /// Returns an endless stream of notifications; with `after`, starting with those after that number; with
    /// `types`, of these types only.
    public func events(
        after: Int64? = nil, types: [NotificationType]? = nil
    ) -> NotificationStream {
        NotificationStream(api: self, after: after, types: types)
    }

    /// Returns a connection to a room for the account of this client. It connects when it is started. Where
    /// the client has a source of tokens, so has the connection: it goes on after a 401 or a close code 1008
    /// with the source's next token, and its queue is kept.
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
