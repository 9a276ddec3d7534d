/// The outcome of a session, as its member reports it.
public enum SessionOutcome: String, CaseIterable, Codable, Hashable, Sendable {
    case done, partly, not
}

/// The check-in, outcome and note of a member, which all members of the room see.
public struct SessionWords: Hashable, Sendable {
    public var checkIn: String?
    public var outcome: SessionOutcome?
    /// The note on the outcome; nil without an outcome.
    public var note: String?

    public init(checkIn: String? = nil, outcome: SessionOutcome? = nil, note: String? = nil) {
        self.checkIn = checkIn
        self.outcome = outcome
        self.note = note
    }
}
