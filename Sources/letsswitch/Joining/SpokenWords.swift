import Contract

/// The words of members about a session, as texts that are safe for a terminal.
enum SpokenWords {
    /// Returns the outcome with its note.
    static func outcome(_ outcome: SessionOutcome, _ note: String?) -> String {
        let word =
            switch outcome {
            case .done: "done"
            case .partly: "partly done"
            case .not: "not done"
            }
        return word + (note.map { ": \(SafeText.escape($0))" } ?? "")
    }

    /// Returns the lines of what a member says, below the task.
    static func lines(of member: Member) -> [String] {
        let checkIn = member.checkIn.map { "checked in: \(SafeText.escape($0))" }
        return [checkIn, member.outcome.map { outcome($0, member.note) }].compactMap(\.self)
    }
}
