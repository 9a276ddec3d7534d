/// A rule for a text that a person writes: its length and its characters.
public struct TextRule: Hashable, Sendable {
    /// The name of the text, as the start of a sentence.
    package let subject: Text
    /// The permitted number of Unicode scalars. White space at both ends does not count.
    public let length: ClosedRange<Int>
    /// Whether line feeds are permitted. Other line breaks never are.
    public var hasLines = false
    /// Whether the text needs a visible character, because it names a person or a task.
    public var isVisible = false

    package init(
        subject: Text, length: ClosedRange<Int>, hasLines: Bool = false, isVisible: Bool = false
    ) {
        self.subject = subject
        self.length = length
        self.hasLines = hasLines
        self.isVisible = isVisible
    }

    public static let task = TextRule(subject: "A task", length: 1...200, isVisible: true)
    public static let tag = TextRule(subject: "A tag", length: 1...32)
    public static let checkIn = TextRule(subject: "A check-in", length: 1...200)
    public static let note = TextRule(subject: "A note", length: 1...200)
    public static let name = TextRule(subject: "A name", length: 1...64, isVisible: true)
    public static let url = TextRule(subject: "A URL", length: 1...2048)
    public static let deviceToken = TextRule(subject: "A device token", length: 64...200)
    public static let pushKey = TextRule(subject: "A key in base64url", length: 1...128)
    public static let report = TextRule(subject: "A report", length: 1...2000, hasLines: true)
    public static let recoveryCode = TextRule(subject: "A recovery code", length: 1...100)
    public static let accessCode = TextRule(subject: "A code", length: 1...100)
    public static let inviteCode = TextRule(subject: "The code of an invite", length: 1...100)
    /// The rule for a time zone; the database decides whether the zone exists.
    public static let timeZone = TextRule(subject: "A time zone", length: 1...64)

    /// Returns the text without Unicode white space at both ends. Throws for control characters and line
    /// separators. Marks of the writing direction are permitted; a terminal has to escape them.
    public func read(_ text: String) throws(ValidationError) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { throw ValidationError("\(subject) may not be empty.") }
        let trimmed = scalars[first...last]
        guard length.contains(trimmed.count) else {
            let (least, most) = (length.lowerBound, length.upperBound)
            throw ValidationError("\(subject) has \(least) to \(most) characters, not \(trimmed.count).")
        }
        guard !trimmed.contains(where: { Self.breaksLines($0) && !(hasLines && $0 == "\n") }) else {
            throw ValidationError(
                hasLines
                    ? "\(subject) may not contain control characters but line feeds."
                    : "\(subject) may not contain control characters or line breaks.")
        }
        guard !isVisible || Self.showsSomething(String(trimmed)) else {
            throw ValidationError("\(subject) needs a character that can be seen.")
        }
        return String(trimmed)
    }

    /// Whether something of the text can be seen.
    package static func showsSomething(_ text: String) -> Bool { text.unicodeScalars.contains(where: isSeen) }

    /// Whether a scalar shows something by itself: no space, no mark without a letter, and none of those that
    /// fonts show nothing of.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        // A pattern of Braille without a dot.
        if scalar == "\u{2800}" { return false }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark, .format, .control, .surrogate,
            .spaceSeparator, .lineSeparator, .paragraphSeparator:
            return false
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }

    private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

// Functions that append the values of this module as text, without an allocation beyond the buffer's growth.

extension [UInt8] {
    mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends a number with leading zeros up to `width`.
    mutating func append(_ number: Int, width: Int) {
        append(addingCapacity: width) { $0.append(number, width: width) }
    }

    mutating func append(decimal number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let magnitude = number.magnitude
        var power: UInt64 = 1
        while magnitude / power >= 10 { power *= 10 }
        while power > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / power % 10))
            power /= 10
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends the last `width` digits of a number, one at least. There has to be room for them.
    mutating func append(_ number: Int, width: Int) {
        if width > 2 { append(number / 100, width: width - 2) }
        if width > 1 { append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10 % 10)) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension String {
    /// Makes the text that `write` appends.
    init(asciiFrom write: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(40)
        write(&bytes)
        self = String(decoding: bytes, as: UTF8.self)
    }
}
