import Codecs

/// An encoder of requests. Fields are written by `FieldEncoder`; characters that a target may not have are
/// percent-encoded.
package enum RequestEncoder {
    /// Appends a request. `headers` has Host. A request without a body has no Content-Length, as RFC 9110
    /// §8.6 says for GET, HEAD and DELETE.
    package static func encode(
        method: HTTPMethod, target: String, headers: HTTPHeaders, body: [UInt8]? = nil,
        into bytes: inout [UInt8]
    ) {
        let isToken = method.rawValue.utf8.allSatisfy(\.isTokenCharacter) && !method.rawValue.isEmpty
        precondition(isToken, "a method is a token")
        bytes.append(contentsOf: "\(method.rawValue) ".utf8)
        for byte in target.utf8 {
            if byte.isVisible && byte != .hash {
                bytes.append(byte)
            } else {
                PercentCoding.appendEscape(byte, to: &bytes)
            }
        }
        bytes.append(contentsOf: " HTTP/1.1\r\n".utf8)
        FieldEncoder.append(headers, framing: body.map { .length($0.count) } ?? .none, to: &bytes)
        if let body { bytes.append(contentsOf: body) }
    }
}
