package import Contract
import Outbox

/// One task for one or more slots, checked, and to be stored as a whole or not at all.
package struct NewPlaces: Sendable {
    package struct Place: Sendable {
        package var id: UUID
        package var startsAt: Timestamp
        package var endsAt: Timestamp
        package var adjusted: Registration.Adjustment?

        package init(
            id: UUID, startsAt: Timestamp, endsAt: Timestamp, adjusted: Registration.Adjustment? = nil
        ) {
            self.id = id
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.adjusted = adjusted
        }
    }

    package enum Outcome: Equatable, Sendable {
        case registered
        /// The user has a live registration for these of the places already; nothing was stored.
        case taken([Int])
        /// These slots are closed: their end was told already. Nothing was stored.
        case over([Int])
        /// The user comes too seldom to register for so many.
        case tooSeldom(Attendance)
        /// The user holds too many registrations already; nothing was stored.
        case tooMany(OpenRegistrations)
        /// The account is gone.
        case unknownUser
    }

    package var user: UUID
    package var task: String
    package var tag: String?
    package var createdAt: Timestamp
    package var places: [Place]

    package init(user: UUID, task: String, tag: String? = nil, createdAt: Timestamp, places: [Place]) {
        self.user = user
        self.task = task
        self.tag = tag
        self.createdAt = createdAt
        self.places = places
    }
}
