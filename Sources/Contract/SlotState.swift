/// How a slot stands for the person who looks at it.
public enum SlotState: String, CaseIterable, Codable, Hashable, Sendable {
    /// Nobody is registered yet.
    case empty
    /// Others are, you are not.
    case waiting
    /// You are, nobody else.
    case registered
    /// You are, and at least one other.
    case partnered
    /// Your room is open.
    case open
    /// Yours, over; you were there.
    case attended
    /// Yours, over; you never entered.
    case missed
    /// Yours; the service was down for the whole of it.
    case lapsed
    /// Over or too late, and not yours.
    case closed

    /// A sentence for the person; `others` is how many others are registered.
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
