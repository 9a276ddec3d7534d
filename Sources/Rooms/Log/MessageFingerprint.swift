/// A message id in two words, whatever its length: FNV-1a with 128 bits (draft-eastlake-fnv).
///
/// It is the same in every process, so that it can be stored. Ids are compared with those of the same member
/// only, so that a member who finds a collision does not affect others.
struct MessageFingerprint: Hashable, Sendable {
    private static let basis: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = 1 << 88 | 0x13b

    let value: UInt128

    init(value: UInt128) { self.value = value }

    init(_ messageId: String) {
        var hash = Self.basis
        for byte in messageId.utf8 { hash = (hash ^ UInt128(byte)) &* Self.prime }
        value = hash
    }
}
