/// An encoder of responses. Fields are written by `FieldEncoder`, so no text can add a field or a response.
package enum ResponseEncoder {
    /// The answer to `Expect: 100-continue`.
    package static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// The status lines of all possible statuses.
    private static let statusLines = (100...599).map {
        Array("HTTP/1.1 \($0) \(ReasonPhrase.of($0))\r\n".utf8)
    }

    /// Appends a whole response with its Content-Length. `omitsBody` is for HEAD: the length is written, the
    /// body is not. `encoded` are more fields.
    package static func encode(
        status: Int, headers: HTTPHeaders, _ encoded: EncodedFields? = nil, body: [UInt8],
        omitsBody: Bool = false, into bytes: inout [UInt8]
    ) {
        let hasBody = permitsBody(status)
        encodeHead(
            status: status, headers: headers, encoded, framing: hasBody ? .length(body.count) : .none,
            into: &bytes)
        if hasBody && !omitsBody { bytes.append(contentsOf: body) }
    }

    /// Appends a head alone: before a stream of chunks, before a body of a known length, or for 101. An
    /// invalid status (RFC 9110 §15) is written as 500.
    package static func encodeHead(
        status: Int, headers: HTTPHeaders, _ encoded: EncodedFields? = nil, framing: BodyFraming,
        into bytes: inout [UInt8]
    ) {
        let known = status >= 100 && status <= 599 ? status : 500
        bytes.append(contentsOf: statusLines[known - 100])
        FieldEncoder.append(headers, encoded, framing: framing, to: &bytes)
    }

    /// Whether a response of this status may have a body: 1xx, 204 and 304 end with their head (RFC 9110
    /// §6.4.1).
    package static func permitsBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }
}
