import Codecs

/// The place of a span among all traces, as W3C Trace Context writes it in `traceparent`.
package struct TraceContext: Hashable, Sendable {
    /// The name of the header field.
    package static let field = "traceparent"
    /// The bytes of version 00: `00-`, 32 digits, `-`, 16 digits, `-`, two digits.
    private static let byteCount = 55

    /// The two halves of the trace's id, not both zero.
    package let high: UInt64
    package let low: UInt64
    /// The id of the span, not zero.
    package let span: UInt64
    package let isSampled: Bool

    package init(high: UInt64, low: UInt64, span: UInt64, isSampled: Bool) {
        self.high = high
        self.low = low
        self.span = span
        self.isSampled = isSampled
    }

    /// Reads a `traceparent`; nil if it is not valid, and so has to be ignored. Of later versions the part is
    /// read that version 00 has (§4.1).
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8.prefix(Self.byteCount + 1))
        guard bytes.count >= Self.byteCount, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            bytes.count == Self.byteCount || version > 0 && bytes[Self.byteCount] == UInt8(ascii: "-"),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let span = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55]),
            high != 0 || low != 0, span != 0
        else { return nil }
        self.init(high: high, low: low, span: span, isSampled: flags & 1 == 1)
    }

    /// The text of `traceparent`.
    package var description: String { "00-\(traceID)-\(span.hexadecimal)-0\(isSampled ? 1 : 0)" }

    /// The id of the trace, as 32 hexadecimal digits.
    package var traceID: String { high.hexadecimal + low.hexadecimal }

    /// Reads hexadecimal digits, which have to be in lower case (§3.2.1).
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(byte - 0x57)
            default: return nil
            }
        }
        return number
    }
}
