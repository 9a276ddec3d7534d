import Codecs

extension Routes {
    public static let invites = "/v1/invites"
    /// The folder of the pages of invites.
    public static let invitePages = "/invites"
    /// Returns the path of the invite to a registration's slot.
    public static func invite(to registration: Identifier) -> String {
        "\(self.registration(registration))/invite"
    }
    public static func invite(_ code: String) -> String { "\(invites)/\(PercentCoding.encode(code))" }
    /// Returns the URL of the page of an invite; `publicURL` is the `http` or `https` URL of the service.
    public static func invitePage(publicURL: String, code: String) -> String {
        url(publicURL, "\(invitePages)/\(code)")
    }
}

/// The answer of `POST /v1/registrations/{id}/invite`: a link with which one other person registers for the
/// same slot, as a partner of the caller. No other answer has it.
public struct NewInvite: Codable, Hashable, Sendable {
    /// The link.
    public var url: String
    /// The code in the link, for `NewRegistration.Slots.invite`.
    public var code: String
    /// The end of registration for the slot.
    public var expiresAt: Timestamp

    public init(url: String, code: String, expiresAt: Timestamp) {
        self.url = url
        self.code = code
        self.expiresAt = expiresAt
    }
}

/// The answer of `GET /v1/invites/{code}`, which needs no account.
public struct Invite: Codable, Hashable, Sendable {
    /// The name of the person who invites.
    public var name: String
    public var slot: SlotSpan
    /// The end of registration for the slot.
    public var expiresAt: Timestamp
    /// Whether the invite is unused, its maker has not cancelled, and registration for the slot is open.
    public var usable: Bool

    public init(name: String, slot: SlotSpan, expiresAt: Timestamp, usable: Bool) {
        self.name = name
        self.slot = slot
        self.expiresAt = expiresAt
        self.usable = usable
    }
}
