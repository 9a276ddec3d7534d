/// Where the bytes of a message are.
package enum Payload: Sendable, Equatable {
    /// In the caller's buffer, unmasked, until the caller reuses it.
    case inPlace(Range<Int>)
    /// Put together from several reads or frames.
    case assembled([UInt8])

    package var count: Int {
        switch self {
        case .inPlace(let range): range.count
        case .assembled(let bytes): bytes.count
        }
    }

    /// A copy; `buffer` is what the decoder was given.
    package func bytes(in buffer: RawSpan) -> [UInt8] {
        switch self {
        case .inPlace(let range):
            var copy: [UInt8] = []
            copy.append(buffer.extracting(range))
            return copy
        case .assembled(let bytes):
            return bytes
        }
    }
}
