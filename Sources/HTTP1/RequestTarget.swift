import Codecs

/// The target of a request (RFC 9112 §3.2), still percent-encoded: the code that splits the path decodes it.
///
/// Programs in front of the server choose by the path as it is sent. An escape of a character that needs
/// none, of `/` or of `%` in a path is refused: it would make a second spelling of a path that they keep from
/// the outside.
package struct RequestTarget: Sendable, Equatable {
    /// The target as it was sent.
    package var raw: String
    /// The path: `/...`; `*` for OPTIONS of the whole server; empty for CONNECT.
    package var path: String
    /// The query: the part after the first `?`.
    package var query: String?
    /// The authority in the target itself: that of the absolute form or of CONNECT.
    package var authority: String?

    init(_ bytes: ArraySlice<UInt8>, method: HTTPMethod) throws(HTTPError) {
        raw = String(decoding: bytes, as: UTF8.self)
        if method == .connect {
            guard let colon = bytes.lastIndex(of: .colon), colon + 1 < bytes.endIndex,
                Authority.isValid(bytes.span)
            else { throw .malformed("CONNECT needs a host and a port") }
            path = ""
            authority = raw
        } else if bytes.first == .slash {
            (path, query) = try Self.split(bytes, whole: raw)
        } else if method == .options, bytes.count == 1, bytes.first == .asterisk {
            path = "*"
        } else {
            let rest = try Self.afterScheme(bytes)
            let host = rest.prefix { $0 != .slash && $0 != .questionMark && $0 != .hash }
            guard Authority.isValid(host.span) else {
                throw .malformed("the host of the target is not valid")
            }
            authority = String(decoding: host, as: UTF8.self)
            (path, query) = try Self.split(rest[host.endIndex...])
            if path.isEmpty { path = "/" }
        }
    }

    private static func afterScheme(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> ArraySlice<UInt8> {
        for scheme in ["http://", "https://"] {
            let prefix = bytes.prefix(scheme.utf8.count)
            if prefix.map(\.lowerCased).elementsEqual(scheme.utf8) { return bytes[prefix.endIndex...] }
        }
        throw .malformed("the target is neither a path nor an http URL")
    }

    /// Splits a target into path and query. `whole` is the text of all the bytes, if there is one already.
    private static func split(
        _ bytes: ArraySlice<UInt8>, whole: String? = nil
    ) throws(HTTPError) -> (String, String?) {
        let path = bytes.prefix { $0 != .questionMark }
        try check(path)
        let isWhole = path.endIndex == bytes.endIndex
        if isWhole, let whole { return (whole, nil) }
        let text = String(decoding: path, as: UTF8.self)
        if isWhole { return (text, nil) }
        let query = bytes[(path.endIndex + 1)...]
        // Browsers leave a few characters in queries that RFC 3986 would have escaped, and a `%` that begins
        // no escape. `QueryItems` decides whether a query can be read.
        guard query.allSatisfy({ $0.isVisible && $0 != .hash }) else {
            throw .malformed("the target has a character that must be escaped")
        }
        return (text, String(decoding: query, as: UTF8.self))
    }

    /// Throws if a path has a character or an escape that it may not have.
    private static func check(_ bytes: ArraySlice<UInt8>) throws(HTTPError) {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == .percent {
                guard index + 1 < bytes.endIndex, let high = bytes[index].hexValue,
                    let low = bytes[index + 1].hexValue
                else { throw .malformed("the target has a bad percent escape") }
                guard high | low != 0 else { throw .malformed("the target has an escaped NUL") }
                guard !(high << 4 | low).isAmbiguousEscape else {
                    throw .malformed("the path escapes a letter, a digit, or one of - . _ ~ / %")
                }
                index += 2
            } else if !byte.isPathCharacter {
                throw .malformed("the target has a character that must be escaped")
            }
        }
    }
}
