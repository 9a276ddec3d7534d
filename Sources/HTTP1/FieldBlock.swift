/// The field lines of a head or of trailers that have arrived so far.
struct FieldBlock: Sendable {
    private(set) var headers = HTTPHeaders()
    private var byteCount = 0

    /// Reads lines up to the empty one; returns false if more bytes must arrive.
    mutating func read(
        from buffer: inout InputBuffer, byteLimit: Int, countLimit: Int
    ) throws(HTTPError) -> Bool {
        let tooLarge = HTTPError.headersTooLarge(limit: byteLimit)
        while let line = try buffer.takeLine(limit: byteLimit - byteCount, orThrow: tooLarge) {
            if line.isEmpty { return true }
            byteCount += line.count
            guard headers.count < countLimit else { throw .tooManyHeaders(limit: countLimit) }
            headers.append(try HTTPField(line: line))
        }
        return false
    }
}
