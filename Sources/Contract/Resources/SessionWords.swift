/// The outcome of a session, as its member says it.
public enum SessionOutcome: String, CaseIterable, Codable, Hashable, Sendable {
    case done, partly, not
}

/// The words of a member about a session, which all members of the room see: a few from the opening of the
/// room on, and afterwards how it went.
public struct SessionWords: Hashable, Sendable {
    public var checkIn: String?
    public var outcome: SessionOutcome?
    /// A few words on the outcome; nil without one.
    public var note: String?

    public init(checkIn: String? = nil, outcome: SessionOutcome? = nil, note: String? = nil) {
        self.checkIn = checkIn
        self.outcome = outcome
        self.note = note
    }
}
