/// How often somebody came, and what follows from it for their registrations.
struct Attendance: Equatable, Sendable {
    /// Of the sessions that count.
    var attended: Int64
    /// Attended, missed and cancelled late; what an outage of the service overlapped is not among them.
    var counted: Int64
    /// Per cent that are asked for.
    var limit: Int
    /// Registrations that are not over.
    var open: Int64
    /// How many of those there may be.
    var allowed: Int

    var detail: String {
        let share = attended * 100 / max(counted, 1)
        return "You came to \(attended) of \(counted) sessions (\(share) %), and \(limit) % are asked for. "
            + "Until then you may be registered for \(allowed) slots at once, and you are for \(open). "
            + "Attend those, and more will be possible."
    }
}
