/// A UUID as in RFC 9562. It is read from 8-4-4-4-12 hexadecimal digits in either case, and written in lower
/// case.
public struct Identifier: Hashable, Sendable {
    // The value is stored in two words: a UInt128 is aligned to 16 bytes, and Swift 6.3 miscomputes the
    // layout of closures that await with one.
    private let high: UInt64
    private let low: UInt64

    /// The 128 bits, the first printed digit being the highest four.
    public var value: UInt128 { UInt128(high) << 64 | UInt128(low) }

    public init(value: UInt128) {
        high = UInt64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    /// Reads exactly 36 ASCII bytes; nil for any other input. Does not allocate.
    public init?(ascii bytes: RawSpan) {
        guard bytes.byteCount == Self.textLength else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<Self.textLength {
            let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
            switch index {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            case 0..<18:
                guard let digit = Self.digit(byte) else { return nil }
                high = high << 4 | digit
            default:
                guard let digit = Self.digit(byte) else { return nil }
                low = low << 4 | digit
            }
        }
        self.high = high
        self.low = low
    }

    /// Appends the text of the id, 36 bytes.
    public func append(to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: Self.textLength) { text in
            for index in 0..<16 {
                switch index {
                case 4, 6, 8, 10: text.append(UInt8(ascii: "-"))
                default: break
                }
                let word = index < 8 ? high : low
                let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * (index & 7)))
                text.append(Self.character(byte >> 4))
                text.append(Self.character(byte & 15))
            }
        }
    }

    static let textLength = 36

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func character(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }
}

extension Identifier: Comparable {
    public static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Identifier: LosslessStringConvertible, TextValue {
    public static var form: String { "a UUID" }

    public init?(_ description: String) {
        self.init(ascii: description.utf8.span.bytes)
    }

    public var description: String {
        String(asciiFrom: append)
    }
}
