package import Contract

/// A user's attendance, and the limit on registrations that follows from it.
package struct Attendance: Equatable, Sendable {
    /// The number of counted sessions that the user attended.
    package var attended: Int64
    /// The number of sessions that were attended, missed or cancelled late; those that an outage of the
    /// service overlapped are not among them.
    package var counted: Int64
    /// The attendance that is asked for, in per cent.
    package var limit: Int
    /// The number of registrations that are not over.
    package var open: Int64
    /// The number of such registrations that are allowed.
    package var allowed: Int

    package var detail: Text {
        let share = attended * 100 / max(counted, 1)
        if allowed == 1 {
            return "You came to \(attended) of \(counted) sessions (\(share) %), and \(limit) % are asked "
                + "for. Until then you may be registered for 1 slot at once, and you are for \(open). "
                + "Attend that, and more will be possible."
        }
        return "You came to \(attended) of \(counted) sessions (\(share) %), and \(limit) % are asked for. "
            + "Until then you may be registered for \(allowed) slots at once, and you are for \(open). "
            + "Attend those, and more will be possible."
    }
}
