/// Bytes that have arrived and are not read yet. Each byte is looked at once, however slowly they arrive.
struct InputBuffer: Sendable {
    /// The most bytes of capacity that a connection keeps between two requests.
    private static let keptCapacity = 1024

    private var bytes: [UInt8] = []
    /// The index before which everything has been read.
    private var start = 0
    /// The index before which, from `start` on, no line ends.
    private var scanned = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }
    var capacity: Int { bytes.capacity }

    mutating func append(_ span: RawSpan) {
        dropRead()
        // All empty arrays share one storage; appending nothing would still write its count.
        if span.isEmpty { return }
        bytes.append(addingCapacity: span.byteCount) { output in
            for offset in span.byteOffsets {
                output.append(span.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            }
        }
    }

    /// Returns the next line without its CRLF; nil if it is not complete. A lone CR or LF and a control
    /// character are refused anywhere, since two readers would see two different messages.
    mutating func takeLine(limit: Int, orThrow tooLong: HTTPError) throws(HTTPError) -> ArraySlice<UInt8>? {
        var index = scanned
        let isComplete: Bool
        do throws(HTTPError) {
            isComplete = try Self.findLineEnd(
                in: bytes.span, from: &index, lineStart: start, limit: limit, orThrow: tooLong)
        } catch {
            scanned = index
            throw error
        }
        scanned = index
        guard isComplete else { return nil }
        let line = bytes[start..<(index - 2)]
        start = index
        return line
    }

    /// Moves `index` past the next CRLF; returns false if there is none, with `index` at the end.
    private static func findLineEnd(
        in bytes: Span<UInt8>, from index: inout Int, lineStart: Int, limit: Int,
        orThrow tooLong: HTTPError
    ) throws(HTTPError) -> Bool {
        var previous: UInt8 = index > lineStart ? bytes[index - 1] : 0
        let wordsEnd = min(bytes.count, lineStart + limit) - 8
        while index < bytes.count {
            // Nearly all bytes are visible characters or spaces, of which eight are passed over at a time.
            if index <= wordsEnd && previous != .carriageReturn {
                let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
                let count = Self.plainPrefix(of: UInt64(littleEndian: word))
                if count > 0 { previous = .space }
                index += count
                if count == 8 { continue }
            }
            let byte = bytes[index]
            if byte >= .space && byte < 0x7F && previous != .carriageReturn {
                if index - lineStart >= limit { throw tooLong }
                previous = byte
                index += 1
                continue
            }
            if byte == .lineFeed {
                guard previous == .carriageReturn else {
                    throw .malformed("a line ends without a carriage return")
                }
                index += 1
                return true
            }
            if previous == .carriageReturn { throw .malformed("a carriage return stands alone") }
            if byte != .carriageReturn {
                if byte.isControl && byte != .tab { throw .malformed("it has a control character") }
                if index - lineStart >= limit { throw tooLong }
            }
            previous = byte
            index += 1
        }
        return false
    }

    /// Returns the number of bytes at the start of eight, of which the lowest is the first, that are visible
    /// ASCII characters or spaces. A byte below the space borrows from its highest bit, and DEL carries into
    /// it; what that does to the bytes behind such a byte does not matter.
    private static func plainPrefix(of word: UInt64) -> Int {
        let others = (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101) | word
        return (others & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
    }

    /// Removes and returns the available bytes, at most `limit`.
    mutating func take(upTo limit: Int) -> [UInt8] {
        let end = start + min(limit, count)
        let taken = Array(bytes[start..<end])
        start = end
        scanned = end
        return taken
    }

    mutating func takeByte() -> UInt8? {
        guard start < bytes.count else { return nil }
        let byte = bytes[start]
        start += 1
        scanned = start
        return byte
    }

    /// Frees the memory if nothing is left to read, unless it is little.
    mutating func releaseIfEmpty() {
        guard isEmpty else { return }
        if bytes.capacity > Self.keptCapacity { return removeAll() }
        bytes.removeAll(keepingCapacity: true)
        start = 0
        scanned = 0
    }

    mutating func removeAll() {
        bytes = []
        start = 0
        scanned = 0
    }

    /// Moves the unread bytes to the front, once they are no more than the bytes read.
    private mutating func dropRead() {
        guard start > 0, start >= bytes.count / 2 else { return }
        bytes.removeFirst(start)
        scanned -= start
        start = 0
    }
}
