import Contract

/// The words of members about a session, as texts that are safe for a terminal.
enum SpokenWords {
    /// Returns the outcome with its note.
    static func outcome(_ outcome: Extensible<SessionOutcome>, _ note: String?) -> String {
        let word =
            switch outcome.known {
            case .done: local("done")
            case .partly: local("partly done")
            case .not: local("not done")
            case nil: SafeText.escape(outcome.rawValue)
            }
        return word + (note.map { ": \(SafeText.escape($0))" } ?? "")
    }

    static func status(_ status: Extensible<MemberStatus>) -> String {
        switch status.known {
        case .gettingReady: local("getting ready")
        case .ready: local("ready")
        case nil: SafeText.escape(status.rawValue)
        }
    }

    /// Returns the lines of what a member says, below the task.
    static func lines(of member: Member) -> [String] {
        let checkIn = member.checkIn.map { local("checked in: \(SafeText.escape($0))") }
        return [checkIn, member.outcome.map { outcome($0, member.note) }].compactMap(\.self)
    }
}
