/// The health of a connection.
public enum Health: Hashable, Sendable {
    case healthy
    /// The connection does not work, or not well; the suggestion is for a person.
    case unhealthy(Suggestion)

    /// Whether the connection is healthy.
    public var isHealthy: Bool { self == .healthy }
}
