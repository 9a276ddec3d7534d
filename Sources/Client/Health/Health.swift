/// Whether a connection does what it is there for.
public enum Health: Hashable, Sendable {
    case healthy
    /// It does not, or not well; what a person can do about it.
    case unhealthy(Suggestion)

    public var isHealthy: Bool { self == .healthy }
}
