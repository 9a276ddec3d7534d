import Contract

/// The state of a session that `wait` waits for.
enum WaitGoal: String, CaseIterable, Sendable {
    /// The user has a partner: until the opening another person who can be matched with the user, from then
    /// on a partner in the room.
    case matched
    /// The room is open, whether or not there is a partner.
    case open
    /// A partner is present in the room.
    case connected

    /// The event that has not happened yet, for people.
    var words: String {
        switch self {
        case .matched: local("a partner")
        case .open: local("the room to open")
        case .connected: local("a partner to enter the room")
        }
    }
}
