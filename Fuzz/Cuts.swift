import Codecs

/// The places where an input is cut into reads. They follow from its bytes, so that a finding can be
/// repeated, and the files of the corpus stay plain text.
struct Cuts: RandomNumberGenerator {
    private var state: UInt64

    init(of input: [UInt8]) { state = FNV1a(input).value }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The input in pieces of 1 to 32 bytes; sometimes all of them of one byte.
    static func pieces(of input: [UInt8]) -> [[UInt8]] {
        var cuts = Cuts(of: input)
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
