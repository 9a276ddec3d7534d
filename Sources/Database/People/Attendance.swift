/// How often somebody came, and what follows from it for their registrations.
package struct Attendance: Equatable, Sendable {
    /// How many of the sessions that count the user came to.
    package var attended: Int64
    /// Attended, missed and cancelled late; what an outage of the service overlapped is not among them.
    package var counted: Int64
    /// Per cent that are asked for.
    package var limit: Int
    /// Registrations that are not over.
    package var open: Int64
    /// How many of those there may be.
    package var allowed: Int

    package var detail: String {
        let share = attended * 100 / max(counted, 1)
        return "You came to \(attended) of \(counted) sessions (\(share) %), and \(limit) % are asked for. "
            + "Until then you may be registered for \(allowed) slots at once, and you are for \(open). "
            + "Attend those, and more will be possible."
    }
}
