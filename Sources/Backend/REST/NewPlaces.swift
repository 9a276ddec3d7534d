import Contract

/// One task for one or more slots, checked, and to be stored as a whole or not at all.
struct NewPlaces: Sendable {
    struct Place: Sendable {
        var id: UUID
        var startsAt: Timestamp
        var endsAt: Timestamp
        var adjusted: Registration.Adjustment?
    }

    enum Outcome: Equatable, Sendable {
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

    var user: UUID
    var task: String
    var tag: String?
    var createdAt: Timestamp
    var places: [Place]
}
