import Codecs

/// The places where an input is cut into reads. They follow from its bytes, so that a finding can be
/// reproduced, and the files of the corpus stay plain text.
enum Cuts {
    /// A generator that is seeded with the input.
    static func generator(for input: [UInt8]) -> SplitMix64 { SplitMix64(seed: FNV1a(input).value) }

    /// The input in pieces of 1 to 32 bytes; sometimes all of them of one byte.
    static func pieces(of input: [UInt8]) -> [[UInt8]] {
        var cuts = generator(for: input)
        let longest = [1, 3, 32].randomElement(using: &cuts) ?? 1
        var pieces: [[UInt8]] = []
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...longest, using: &cuts))
            pieces.append(Array(piece))
            rest = rest[piece.endIndex...]
        }
        return pieces
    }
}
