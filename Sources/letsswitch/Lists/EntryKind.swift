import Contract

/// A kind of things that lists show and arguments name.
enum EntryKind: String, CaseIterable, Codable, Sendable {
    case registration, routine, room, person, endpoint, calendar, token

    /// The command that lists such entries.
    var command: String {
        switch self {
        case .registration: "registrations"
        case .routine: "routine list"
        case .room: "history"
        case .person: "explain"
        case .endpoint: "endpoints"
        case .calendar: "calendars"
        case .token: "token list"
        }
    }

    var plural: Text {
        switch self {
        case .registration: "registrations"
        case .routine: "routines"
        case .room: "rooms"
        case .endpoint: "endpoints"
        case .calendar: "calendars"
        case .token: "tokens"
        case .person: "people"
        }
    }
}
