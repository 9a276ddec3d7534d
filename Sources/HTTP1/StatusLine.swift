/// The status line of a response.
struct StatusLine: Sendable {
    var minorVersion: Int
    var status: Int
    var reason: String

    init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
        let parts = line.split(separator: UInt8.space, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2 else { throw .malformed("the status line does not have its parts") }
        minorVersion = try RequestLine.minorVersion(parts[0])
        guard parts[1].count == 3, parts[1].allSatisfy(\.isDigit) else {
            throw .malformed("the status is not a number")
        }
        status = parts[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard status >= 100 else { throw .malformed("the status is not a number") }
        reason = parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : ""
    }
}
