/// A member of a body, and its length in bytes if each character is escaped.
public struct BodyMember: Sendable {
    /// The bytes of `\u0041`, by which an ASCII character may be written.
    private static let escape = 6
    /// The bytes of a surrogate pair, by which a character beyond the BMP may be written.
    private static let escapedPair = 12

    let bytes: Int

    private init(_ name: String, value: Int) {
        // The name is quoted, and a colon and a comma stand beside it.
        bytes = Self.escape * name.utf8.count + 4 + value
    }

    /// Returns a member whose value is a text of a person.
    package static func text(_ name: String, _ rule: TextRule) -> BodyMember {
        text(name, rule.length.upperBound)
    }

    /// Returns a member whose value is a text of that many characters at most.
    package static func text(_ name: String, _ length: Int) -> BodyMember {
        BodyMember(name, value: escapedPair * length + 2)
    }

    /// Returns a member whose value is a text of that many ASCII characters at most.
    package static func word(_ name: String, _ length: Int) -> BodyMember {
        BodyMember(name, value: escape * length + 2)
    }

    /// Returns a member whose value is a list of that many such texts.
    package static func words(_ name: String, _ length: Int, times count: Int) -> BodyMember {
        BodyMember(name, value: (escape * length + 3) * count + 2)
    }

    /// Returns a member whose value is a number, `true`, `false` or `null`.
    package static func scalar(_ name: String) -> BodyMember { BodyMember(name, value: 32) }

    /// Returns the bytes of the largest object of the members, rounded up to KiB, so that there is room for
    /// white space.
    package static func maximumBytes(_ members: [BodyMember]) -> Int {
        (members.reduce(2) { $0 + $1.bytes } + 1023) / 1024 * 1024
    }
}

extension BodyMember {
    /// The characters of an instant with nanoseconds and an offset.
    package static let instant = 35
    /// The characters of a local time with seconds.
    static let localTime = 19
    static let day = 10
    static let id = 36
    /// More characters than one of a few known words has.
    package static let name = 32
}
