/// How an endpoint fares.
public enum EndpointState: String, CaseIterable, Codable, Hashable, Sendable {
    case active
    /// A webhook whose receiver has not echoed the challenge yet: nothing else goes there.
    case unverified
    /// Every attempt has failed since `failingSince`; it is tried on.
    case failing
    /// Nothing goes there any more, for the reason that is given. Remove it, and add it again.
    case disabled
}
