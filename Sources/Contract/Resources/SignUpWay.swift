/// A condition under which the service takes sign-ups.
public enum SignUpWay: String, CaseIterable, Codable, Hashable, Sendable {
    /// Anyone can sign up.
    case open
    /// A sign-up needs a code of an operator: `NewUser.code`.
    case code
    /// A sign-up needs an unused invite: `NewUser.invite`.
    case invite
}
