/// The state of an endpoint.
public enum EndpointState: String, CaseIterable, Codable, Hashable, Sendable {
    case active
    /// The receiver of a webhook has not echoed the challenge yet; nothing else is sent to it.
    case unverified
    /// Every attempt has failed since `failingSince`; attempts go on.
    case failing
    /// Nothing is sent to the endpoint any more, for the given reason. Remove it, and add it again.
    case disabled
}
