// Functions that read and copy bytes. Every access is checked against the bounds of its span.

extension RawSpan {
    func byte(at offset: Int) -> UInt8 {
        unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Returns eight bytes as an integer, the first byte in the low bits.
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Returns `count` bytes in network order as an integer.
    func integer(at offset: Int, count: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in offset..<(offset + count) { value = value << 8 | UInt64(byte(at: index)) }
        return value
    }
}

extension [UInt8] {
    mutating func append(_ span: RawSpan) {
        // All empty arrays share one storage; appending nothing would still write its count.
        if span.isEmpty { return }
        append(addingCapacity: span.byteCount) { output in
            for offset in span.byteOffsets { output.append(span.byte(at: offset)) }
        }
    }
}
