import Codecs

extension Routes {
    public static let invites = "/v1/invites"
    /// The path above the addresses that people hand on to invite others.
    public static let invitePages = "/invites"
    /// Returns the path of the invite to a registration's slot.
    public static func invite(to registration: Identifier) -> String {
        "\(self.registration(registration))/invite"
    }
    public static func invite(_ code: String) -> String { "\(invites)/\(PercentCoding.encode(code))" }
    /// Returns the address to hand on; `publicURL` is an `http` or `https` URL.
    public static func invitePage(publicURL: String, code: String) -> String {
        url(publicURL, "\(invitePages)/\(code)")
    }
}

/// The answer of `POST /v1/registrations/{id}/invite`: a link by which one other person registers for the
/// same slot, and is paired with the caller. It is in this answer only.
public struct NewInvite: Codable, Hashable, Sendable {
    /// The address to hand on.
    public var url: String
    /// The code in the address, for `invite` in `POST /v1/registrations`.
    public var code: String
    /// The instant after which the slot can no longer be had.
    public var expiresAt: Timestamp

    public init(url: String, code: String, expiresAt: Timestamp) {
        self.url = url
        self.code = code
        self.expiresAt = expiresAt
    }
}

/// The answer of `GET /v1/invites/{code}`: the facts that a person with the code may know.
public struct Invite: Codable, Hashable, Sendable {
    /// The name of the person who invites.
    public var name: String
    public var slot: SlotSpan
    public var expiresAt: Timestamp
    /// Whether it was neither used nor ended by a cancellation, and the slot can still be had.
    public var usable: Bool

    public init(name: String, slot: SlotSpan, expiresAt: Timestamp, usable: Bool) {
        self.name = name
        self.slot = slot
        self.expiresAt = expiresAt
        self.usable = usable
    }
}
