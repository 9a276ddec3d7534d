extension Identifier {
    /// Returns an id that is random in every free bit (RFC 9562 §5.4), so that it cannot be guessed.
    public static func v4(using generator: inout some RandomNumberGenerator) -> Identifier {
        Identifier(high: generator.next(), low: generator.next(), version: 4)
    }

    /// Returns an id ordered by time (RFC 9562 §5.7), to the microsecond (§6.2, method 3), for keys of
    /// tables.
    public static func v7(at instant: Timestamp, using generator: inout some RandomNumberGenerator)
        -> Identifier
    {
        let microseconds = UInt64(max(0, instant.microseconds))
        let milliseconds = microseconds / 1000
        let fraction = microseconds % 1000 * 4096 / 1000
        return Identifier(high: milliseconds << 16 | fraction, low: generator.next(), version: 7)
    }

    private init(high: UInt64, low: UInt64, version: UInt64) {
        let versioned = high & ~0xF000 | version << 12
        let variant = low & ~(3 << 62) | 2 << 62
        self.init(value: UInt128(versioned) << 64 | UInt128(variant))
    }
}
