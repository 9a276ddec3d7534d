/// The health of a connection.
public enum Health: Hashable, Sendable {
    /// The connection works, or has not been started.
    case healthy
    /// The connection does not work, or not well. The suggestion is for a person.
    case unhealthy(Suggestion)

    /// Whether the connection is healthy.
    public var isHealthy: Bool { self == .healthy }
}
