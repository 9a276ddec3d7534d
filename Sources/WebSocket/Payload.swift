/// The location of the bytes of a message.
package enum Payload: Sendable, Equatable {
    /// The bytes are in the caller's buffer, unmasked, until the caller reuses it.
    case inPlace(Range<Int>)
    /// The bytes were put together from several reads or frames.
    case assembled([UInt8])

    package var count: Int {
        switch self {
        case .inPlace(let range): range.count
        case .assembled(let bytes): bytes.count
        }
    }

    /// Returns a copy of the bytes; `buffer` is the one that the decoder was given.
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
