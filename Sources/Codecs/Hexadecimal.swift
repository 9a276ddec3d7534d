extension FixedWidthInteger where Self: UnsignedInteger {
    /// All hexadecimal digits of the number, in lower case, with leading zeros.
    package var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: Self.bitWidth / 4 - digits.utf8.count) + digits
    }
}

extension Sequence<UInt8> {
    /// Two hexadecimal digits for each byte, in lower case.
    package var hexadecimal: String { map(\.hexadecimal).joined() }
}
