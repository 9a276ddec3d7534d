import Codecs

/// A decoder of the chunked transfer coding (RFC 9112 §7.1). Extensions are checked and ignored, trailers
/// checked and dropped.
struct ChunkedDecoder: Sendable {
    private enum State {
        case size
        case data(remaining: Int)
        /// The decoder waits for the CRLF after the data.
        case dataEnd(sawReturn: Bool)
        case trailers(FieldBlock)
        case done
    }

    /// The most digits of a size, leading zeros included, as 64 bits need. A reader that stops earlier would
    /// see another size.
    private static let maximumSizeDigits = 16

    private var state = State.size
    private var extensionBytes = 0

    /// Returns the next part of the body. `room` is the number of bytes that the body may still have.
    mutating func next(
        from buffer: inout InputBuffer, room: Int, bodyLimit: Int, limits: HTTPLimits
    ) throws(HTTPError) -> BodyDecoder.Event? {
        while true {
            switch state {
            case .size:
                let tooLong = HTTPError.malformed(
                    "a chunk-size line is longer than {1} bytes", limit: limits.chunkLine)
                guard let line = try buffer.takeLine(limit: limits.chunkLine, orThrow: tooLong) else {
                    return nil
                }
                let size = try readSize(line, extensionLimit: limits.chunkExtensions)
                guard size <= room else { throw .bodyTooLarge(limit: bodyLimit) }
                state = size == 0 ? .trailers(FieldBlock()) : .data(remaining: size)
            case .data(let remaining):
                let bytes = buffer.take(upTo: remaining)
                if bytes.isEmpty { return nil }
                let rest = remaining - bytes.count
                state = rest == 0 ? .dataEnd(sawReturn: false) : .data(remaining: rest)
                return .bytes(bytes)
            case .dataEnd(let sawReturn):
                guard let byte = buffer.takeByte() else { return nil }
                guard byte == (sawReturn ? .lineFeed : .carriageReturn) else {
                    throw .malformed("a chunk is longer than its size")
                }
                state = sawReturn ? .size : .dataEnd(sawReturn: true)
            case .trailers(var block):
                state = .done
                let isComplete = try block.read(
                    from: &buffer, byteLimit: limits.trailerBytes, countLimit: limits.headerCount)
                guard isComplete else {
                    state = .trailers(block)
                    return nil
                }
            case .done:
                return .end
            }
        }
    }

    /// Reads `1*HEXDIG` and extensions, without a sign, a space or `0x`.
    private mutating func readSize(
        _ line: ArraySlice<UInt8>, extensionLimit: Int
    ) throws(HTTPError) -> Int {
        var size = 0
        var index = line.startIndex
        while index < line.endIndex, let digit = line[index].hexValue {
            let (product, overflows) = size.multipliedReportingOverflow(by: 16)
            if overflows { throw .malformed("a chunk size is too large for a number") }
            // The low four bits of the product are zero.
            size = product | Int(digit)
            index += 1
        }
        guard index > line.startIndex else { throw .malformed("a chunk size is not a number") }
        guard index - line.startIndex <= Self.maximumSizeDigits else {
            throw .malformed("a chunk size has more than {1} digits", limit: Self.maximumSizeDigits)
        }
        let extensions = line[index...]
        extensionBytes += extensions.count
        guard extensionBytes <= extensionLimit else {
            throw .malformed("its chunk extensions are longer than {1} bytes", limit: extensionLimit)
        }
        guard ChunkExtensions.areValid(extensions) else {
            throw .malformed("a chunk extension is malformed")
        }
        return size
    }
}
