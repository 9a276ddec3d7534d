extension Routes {
    public static let rooms = "/v1/rooms"
    public static func room(_ id: Identifier) -> String { "\(rooms)/\(id)" }
}

/// The room of a match, for one of its members.
public struct Room: Codable, Hashable, Sendable {
    public var id: Identifier
    public var slot: SlotSpan
    public var opensAt: Timestamp
    public var closesAt: Timestamp
    /// The person who closed the room at `closesAt`, before the end of the slot; nil otherwise.
    public var closedBy: Extensible<RoomCloser>?
    /// The URL of the socket, with a ticket for the caller.
    public var socketUrl: String
    /// All members, the caller included.
    public var members: [Member]
    /// The number of ales of all members so far.
    public var ales: Int64

    public init(
        id: Identifier, slot: SlotSpan, opensAt: Timestamp, closesAt: Timestamp,
        closedBy: RoomCloser? = nil, socketUrl: String, members: [Member], ales: Int64
    ) {
        self.id = id
        self.slot = slot
        self.opensAt = opensAt
        self.closesAt = closesAt
        self.closedBy = closedBy.map { .known($0) }
        self.socketUrl = socketUrl
        self.members = members
        self.ales = ales
    }
}

/// The person who closed a room before the end of its slot.
public enum RoomCloser: String, CaseIterable, Codable, Hashable, Sendable {
    case `operator`

    /// A sentence for the members of the room.
    package var message: Text {
        switch self {
        case .operator: "An operator closed your room."
        }
    }
}

/// The answer of `GET /v1/rooms`, newest first.
public struct RoomList: Codable, Hashable, Sendable {
    public var rooms: [Room]
    /// The cursor of the next page; nil on the last one.
    public var nextCursor: String?

    public init(rooms: [Room], nextCursor: String? = nil) {
        self.rooms = rooms
        self.nextCursor = nextCursor
    }
}
