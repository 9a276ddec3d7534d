/// The permitted partners in one slot: the member `with` of a registration.
public enum Company: String, CaseIterable, Codable, Hashable, Sendable {
    /// Favorites only, and partners by an invite.
    case favourites
    case anyone
}

extension RequestReader {
    /// Reads the member `with`, which may be left out, but is not null.
    mutating func company() -> Company? {
        guard let text = replacement("with", TextRule(subject: "with", length: 1...32)) else { return nil }
        let company = Company(rawValue: text)
        if company == nil { refuse("with", "with is favourites or anyone.") }
        return company
    }
}
