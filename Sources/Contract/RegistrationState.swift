/// What became of a registration.
public enum RegistrationState: String, CaseIterable, Codable, Hashable, Sendable {
    /// Its slot lies ahead.
    case registered
    /// Its room is open.
    case matched
    /// The room closed, and the person had entered.
    case attended
    /// The room closed, and the person had not entered.
    case missed
    case cancelled
    /// The service was down for the whole slot.
    case lapsed
}
