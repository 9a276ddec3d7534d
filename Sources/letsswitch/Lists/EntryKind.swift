import Contract

/// A kind of things that lists show and arguments name.
enum EntryKind: String, CaseIterable, Codable, Sendable {
    case registration, routine, room, person, endpoint, calendar, token

    /// The command that lists such entries.
    var command: String { names.command }

    var plural: Text { names.plural }

    private var names: (command: String, plural: Text) {
        switch self {
        case .registration: ("registrations", "registrations")
        case .routine: ("routine list", "routines")
        case .room: ("history", "rooms")
        case .person: ("explain", "people")
        case .endpoint: ("endpoints", "endpoints")
        case .calendar: ("calendars", "calendars")
        case .token: ("token list", "tokens")
        }
    }
}
