package import Contract
import Outbox
package import Scheduling

/// A checked request to register one task for one or more slots, to be stored as a whole or not at all.
package struct RegistrationRequest: Sendable {
    package enum Outcome: Equatable, Sendable {
        case registered
        /// The user has a live registration for these slots already, by their index; nothing was stored.
        case taken([Int])
        /// The slots with these indices overlap sessions of the user; nothing was stored.
        case overlaps([Int: SlotSpan])
        /// The slots at these indices are closed, and their end was told already; nothing was stored.
        case over([Int])
        /// The user has left the open slots with these indices as often as allowed, and needs an invite;
        /// nothing was stored.
        case leftTwice([Int])
        /// The user comes too seldom to register for so many.
        case tooSeldom(Attendance)
        /// The user holds too many registrations already; nothing was stored.
        case tooMany(OpenRegistrations)
        /// The user has made too many registrations today; nothing was stored.
        case tooManyToday(MadeRegistrations)
        /// The invite was used meanwhile, its maker has cancelled or taken it back, or others fill the room
        /// who were invited too; nothing was stored.
        case inviteUnusable
        /// The account is gone.
        case unknownUser
        /// Another request with the same idempotency key is under way, or has had its effect; nothing was
        /// stored.
        case keyUnderWay
    }

    package var user: Identifier
    package var task: String
    package var tag: String?
    package var createdAt: Timestamp
    package var slots: [RequestedSlot]
    /// The people that the user wants to meet; nil for the default.
    package var intent: Intent?
    /// The idempotency key of the request, with the answer that is kept if the request is stored.
    package var kept: (key: IdempotencyKey, answer: KeptAnswer)?

    /// Whether the ids are those of registrations of the user that were cancelled and are taken back.
    package var revives = false

    /// The number of registrations that the request makes.
    var made: Int64 { revives ? 0 : Int64(slots.count) }

    package init(
        user: Identifier, task: String, tag: String? = nil, createdAt: Timestamp, slots: [RequestedSlot]
    ) {
        self.user = user
        self.task = task
        self.tag = tag
        self.createdAt = createdAt
        self.slots = slots
    }
}

extension RegistrationRequest {
    /// The people that a user wants to meet in the slots of a request.
    package struct Intent: Sendable {
        package var favouritesOnly: Bool
        package var isQuiet: Bool
        /// The invite that the request uses up, and the number of people who may share a room by invites. A
        /// request with an invite is stored in a transaction of its own.
        package var invite: (code: InviteCode, roomSize: Int)?

        /// Creates an intent; nil if it is the default.
        package init?(with company: Company?, quiet: Bool?, invite: (InviteCode, roomSize: Int)? = nil) {
            favouritesOnly = company == .favourites
            isQuiet = quiet ?? false
            self.invite = invite
            if !favouritesOnly, !isQuiet, invite == nil { return nil }
        }
    }
}

/// One slot of a request, with the id that its registration will have.
package struct RequestedSlot: Sendable {
    package var id: Identifier
    /// The key of the slot.
    package var startsAt: Timestamp
    package var endsAt: Timestamp
    package var adjusted: Registration.Adjustment?
    /// The instant at which the rooms of the slot were due to open, if it is past.
    package var openedAt: Timestamp?

    /// Creates the slot with a key, as it is by the rules at an instant.
    package init(
        id: Identifier, key: Timestamp, adjusted: Registration.Adjustment?, _ rules: ScheduleRules,
        at now: Timestamp
    ) {
        self.init(id: id, startsAt: key, endsAt: rules.endsAt(key), adjusted: adjusted)
        let opensAt = rules.opensAt(key)
        if opensAt <= now { openedAt = opensAt }
    }

    package init(
        id: Identifier, startsAt: Timestamp, endsAt: Timestamp, adjusted: Registration.Adjustment? = nil
    ) {
        self.id = id
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.adjusted = adjusted
    }
}
