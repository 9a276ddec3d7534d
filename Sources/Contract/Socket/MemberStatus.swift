/// The status of a member in a room, as a device of the member says it: a closed set of words, so that every
/// client can say them in the language of its reader.
public enum MemberStatus: String, CaseIterable, Codable, Hashable, Sendable {
    case gettingReady = "getting-ready"
    case ready
}
