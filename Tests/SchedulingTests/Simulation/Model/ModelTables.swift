import Contract

@testable import Scheduling

/// The tables that the scheduler works on, with the constraints of the schema.
struct ModelTables: Sendable {
    struct Slot: Equatable, Sendable {
        var startsAt: Timestamp
        var endsAt: Timestamp
        var openedAt: Timestamp?
        var servedAt: Timestamp?
        var closingAt: Timestamp?
        var closedAt: Timestamp?
        var lease: SlotLease?
    }

    struct Registration: Equatable, Sendable {
        var id: Identifier
        /// The user; nil once the account was deleted.
        var user: Identifier?
        var startsAt: Timestamp
        var createdAt = Timestamp(seconds: 0)
        var cancelledAt: Timestamp?
        var tag: String?
        var intent = SlotIntent()

        var isLive: Bool { cancelledAt == nil && user != nil }
    }

    struct Room: Equatable, Sendable {
        var id: Identifier
        var startsAt: Timestamp
        var openedAt: Timestamp
        var revision: Int32 = 1
    }

    struct Member: Equatable, Sendable {
        var room: Identifier
        var registration: Identifier
        var joinedRevision: Int32
        var leftRevision: Int32?
        var enteredAt: Timestamp?
        /// The server where one of the member's sockets is open.
        var presentOn: Int?
        var awaySince: Timestamp?
    }

    struct UserNotification: Sendable {
        var id: Int
        var at: Timestamp
        var notice: Notice
    }

    /// A user's block or favourite of another user.
    struct Opinion: Equatable, Sendable {
        var user: Identifier
        var other: Identifier
        /// The number of commits before it, so that the order is known.
        var commit: Int
        /// The instant in microseconds.
        var at: Int64 = 0
    }

    struct Alone: Equatable, Sendable {
        var registration: Identifier
        var user: Identifier
        var startsAt: Timestamp
    }

    var slots: [Timestamp: Slot] = [:]
    var registrations: [Identifier: Registration] = [:]
    var rooms: [Identifier: Room] = [:]
    var members: [Member] = []
    var notifications: [UserNotification] = []
    var blocks: [Opinion] = []
    var favourites: [Opinion] = []
    var leftAlone: [Alone] = []
    var aliveAt: Timestamp?
    var outages: [ClosedRange<Timestamp>] = []
    /// The last heartbeat of each server, by the clock of the database.
    var servers: [Int: Timestamp] = [:]
    var users: Set<Identifier> = []
    private(set) var lastNotification = 0

    /// Returns all registrations that the slot ever had, by their ids.
    func registrations(of startsAt: Timestamp) -> [Registration] {
        registrations.values.filter { $0.startsAt == startsAt }.sorted { $0.id < $1.id }
    }

    /// Returns the current membership of the registration.
    func member(of registration: Identifier) -> Member? {
        members.first { $0.registration == registration && $0.leftRevision == nil }
    }

    /// Returns the current members of the room.
    func members(of room: Identifier) -> [Member] {
        members.filter { $0.room == room && $0.leftRevision == nil }.sorted {
            $0.registration < $1.registration
        }
    }

    /// Returns the rooms of a slot, the oldest first.
    func rooms(of startsAt: Timestamp) -> [Room] {
        rooms.values.filter { $0.startsAt == startsAt }.sorted {
            $0.openedAt == $1.openedAt ? $0.id < $1.id : $0.openedAt < $1.openedAt
        }
    }

    /// Whether one of the two has blocked the other, within so many commits, or before that instant.
    func isBlocked(
        _ one: Identifier, _ other: Identifier, after commits: Int = .max, before instant: Int64 = 0
    ) -> Bool {
        blocks.contains {
            ($0.commit <= commits || $0.at < instant)
                && (($0.user == one && $0.other == other) || ($0.user == other && $0.other == one))
        }
    }

    func hasEntered(_ registration: Identifier) -> Bool {
        members.contains { $0.registration == registration && $0.enteredAt != nil }
    }

    enum RegistrationAnswer { case registered, taken, overlaps, over }

    /// Registers for one slot, as `POST /v1/registrations` does.
    mutating func register(
        _ registration: Registration, endsAt: Timestamp, evenIfOver: Bool = false,
        evenIfOverlapping: Bool = false
    ) -> RegistrationAnswer {
        let startsAt = registration.startsAt
        if slots[startsAt]?.closingAt != nil && !evenIfOver { return .over }
        let isTaken = registrations.values.contains {
            $0.user == registration.user && $0.startsAt == startsAt && $0.isLive
        }
        if isTaken { return .taken }
        if let user = registration.user, !evenIfOverlapping {
            let span = SlotSpan(key: startsAt, endsAt: endsAt)
            if sessions(of: user).contains(where: { $0.overlaps(span) }) { return .overlaps }
        }
        if slots[startsAt] == nil { slots[startsAt] = Slot(startsAt: startsAt, endsAt: endsAt) }
        registrations[registration.id] = registration
        return .registered
    }

    /// Returns the sessions that a user is registered for.
    func sessions(of user: Identifier) -> [SlotSpan] {
        registrations.values.filter { $0.user == user && $0.isLive }
            .compactMap { slots[$0.startsAt] }.map { SlotSpan(key: $0.startsAt, endsAt: $0.endsAt) }
            .sorted { $0.startsAt < $1.startsAt }
    }

    /// Adds a notification unless it exists, as `ON CONFLICT DO NOTHING` does: a registration has one opening
    /// and one end.
    mutating func add(_ notice: Notice, at now: Timestamp) {
        let isOnce = notice.type == .roomOpened || notice.type.isEnd
        let exists = notifications.contains { known in
            known.notice.registration == notice.registration
                && (known.notice.type == notice.type || (known.notice.type.isEnd && notice.type.isEnd))
        }
        if isOnce && exists { return }
        lastNotification += 1
        notifications.append(UserNotification(id: lastNotification, at: now, notice: notice))
    }
}

extension SlotSpan {
    func overlaps(_ other: SlotSpan) -> Bool { startsAt < other.endsAt && other.startsAt < endsAt }
}

extension NotificationType {
    var isEnd: Bool {
        switch self {
        case .roomOpened, .roomChanged, .slotPartnered, .slotAlone, .announcement: false
        case .sessionMissed, .sessionLapsed, .sessionCompleted: true
        }
    }
}
