/// The state of a registration.
public enum RegistrationState: String, CaseIterable, Codable, Hashable, Sendable {
    /// The slot is in the future.
    case registered
    /// The room is open.
    case matched
    /// The room closed, and the person had entered.
    case attended
    /// The room closed, and the person had not entered.
    case missed
    case cancelled
    /// The service was down for the whole slot.
    case lapsed
}
