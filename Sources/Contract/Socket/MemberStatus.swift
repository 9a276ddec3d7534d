/// The status of a member in a room. It is a closed set of words, which each client translates.
public enum MemberStatus: String, CaseIterable, Codable, Hashable, Sendable {
    case gettingReady = "getting-ready"
    case ready
}
