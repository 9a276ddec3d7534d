/// The state of a slot for the caller.
public enum SlotState: String, CaseIterable, Codable, Hashable, Sendable {
    /// No person is registered yet.
    case empty
    /// Others are registered; you are not.
    case waiting
    /// You are registered; others are not.
    case registered
    /// You and at least one other are registered.
    case partnered
    /// Your room is open.
    case open
    /// The slot is over; you attended.
    case attended
    /// The slot is over; you were registered and never entered.
    case missed
    /// You were registered; the service was down for the whole slot.
    case lapsed
    /// The slot is over or too late to join, and you were not registered.
    case closed

    /// Returns a sentence for the person; `others` is the number of other registered people.
    public func message(others: Int) -> String {
        let people = others == 1 ? "1 person" : "\(others) people"
        return switch self {
        case .empty: "Nobody is here yet. Be the first!"
        case .waiting:
            others == 1 ? "1 person is waiting for a partner." : "\(people) will be here. Join them!"
        case .registered: "You are in. A partner may still come."
        case .partnered:
            others == 1 ? "You are in, and so is 1 other." : "You are in, and so are \(others) others."
        case .open: others == 0 ? "Your room is open." : "Your room is open. Come in!"
        case .attended: "Done. Well worked!"
        case .missed: "You did not make it this time. There is always a next one."
        case .lapsed: "We were down for this one. It does not count against you."
        case .closed: others == 0 ? "This one is over." : "This one went ahead with \(people)."
        }
    }
}
