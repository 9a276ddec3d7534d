import Glibc

/// The server's encoding of an ale, as far as a receiver has to read it.
///
///     version 1    {"type":"aleResponse"}
///     version 2    {"type":"aleResponse","from":"<36>","seq":<number>,…
enum AleText {
    static let idBytes = 36

    static func isVersion1(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count == version1.utf8CodeUnitCount && starts(text, with: version1)
    }

    /// Returns the sender's id and the number of the ale; nil when the text is something else.
    static func readVersion2(_ text: UnsafeRawBufferPointer) -> (from: UnsafeRawPointer, number: Int64)? {
        let idStart = version2.utf8CodeUnitCount
        let numberStart = idStart + idBytes + version2Number.utf8CodeUnitCount
        guard text.count > numberStart, starts(text, with: version2), let base = text.baseAddress,
            starts(UnsafeRawBufferPointer(rebasing: text[(idStart + idBytes)...]), with: version2Number)
        else { return nil }
        var number: Int64 = 0
        var index = numberStart
        while index < text.count, case let digit = text[index] &- UInt8(ascii: "0"), digit < 10 {
            number = number &* 10 &+ Int64(digit)
            index += 1
        }
        return index > numberStart ? (base + idStart, number) : nil
    }

    /// Returns the start of the receiver's own id in the greeting of version 2.
    static func ownID(in text: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
        guard let start = index(of: own, in: text).map({ $0 + own.count }), start + idBytes <= text.count
        else { return nil }
        return text.baseAddress.map { $0 + start }
    }

    /// Returns the index of the first occurrence of the bytes, which must not be empty.
    static func index(of wanted: [UInt8], in text: UnsafeRawBufferPointer) -> Int? {
        guard let base = text.baseAddress, text.count >= wanted.count else { return nil }
        for index in 0...(text.count - wanted.count)
        // At least `wanted.count` bytes remain from `index` on.
        where text[index] == wanted[0] && memcmp(base + index, wanted, wanted.count) == 0 { return index }
        return nil
    }

    static func isGreeting(_ text: UnsafeRawBufferPointer) -> Bool { starts(text, with: greeting) }

    /// Whether the text is one of version 2 about other members, which the measurement ignores.
    static func isChange(_ text: UnsafeRawBufferPointer) -> Bool {
        starts(text, with: presence) || starts(text, with: members)
    }

    private static let version1: StaticString = #"{"type":"aleResponse"}"#
    private static let version2: StaticString = #"{"type":"aleResponse","from":""#
    private static let version2Number: StaticString = #"","seq":"#
    private static let greeting: StaticString = #"{"type":"handshake""#
    private static let own = Array(#""you":""#.utf8)
    private static let presence: StaticString = #"{"type":"presence""#
    private static let members: StaticString = #"{"type":"members""#

    private static func starts(_ text: UnsafeRawBufferPointer, with prefix: StaticString) -> Bool {
        guard let base = text.baseAddress, text.count >= prefix.utf8CodeUnitCount else { return false }
        // Both have at least that many bytes.
        return memcmp(base, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
    }
}
