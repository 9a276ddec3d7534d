import Contract

/// The words of members about a session, as texts that are safe for a terminal.
enum SpokenWords {
    /// Returns the outcome with its note.
    static func outcome(_ outcome: SessionOutcome, _ note: String?) -> String {
        let word =
            switch outcome {
            case .done: local("done")
            case .partly: local("partly done")
            case .not: local("not done")
            }
        return word + (note.map { ": \(SafeText.escape($0))" } ?? "")
    }

    static func status(_ status: MemberStatus) -> String {
        switch status {
        case .gettingReady: local("getting ready")
        case .ready: local("ready")
        }
    }

    /// Returns the lines of what a member says, below the task.
    static func lines(of member: Member) -> [String] {
        let checkIn = member.checkIn.map { local("checked in: \(SafeText.escape($0))") }
        return [checkIn, member.outcome.map { outcome($0, member.note) }].compactMap(\.self)
    }
}
