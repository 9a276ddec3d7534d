/// The latest instant at which people may register for a slot.
package enum RegistrationClosing: String, CaseIterable, Sendable {
    /// `LATE_SECONDS` after the start, the last instant included.
    case late
    /// The opening of its rooms, which is too late already.
    case lead
}

/// The instant from which a registration cannot be cancelled any more.
package enum CancellingEnd: String, CaseIterable, Sendable {
    /// The end of the slot.
    case end
    /// The opening of its rooms.
    case opening
}
