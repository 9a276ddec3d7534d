/// A way in which people make accounts, as `GET /v1/now` lists them.
public enum SignUpWay: String, CaseIterable, Codable, Hashable, Sendable {
    /// Without a condition.
    case open
    /// By a code of an operator.
    case code
    /// By an invite that is not used.
    case invite
}
