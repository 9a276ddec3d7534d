/// The FNV-1a hash with 64 bits (draft-eastlake-fnv). It is the same in every process, and not cryptographic.
package struct FNV1a: Sendable {
    package let value: UInt64

    package init(_ bytes: some Sequence<UInt8>) {
        value = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// The value as sixteen hexadecimal digits.
    package var hexadecimal: String { value.hexadecimal }
}
