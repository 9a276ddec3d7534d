/// An encoder of field lines that cannot end early, whatever text is in them.
///
/// A control character in a value becomes a space. A field whose name is not a token is left out, and so is a
/// field that would frame the body: the encoder writes the framing itself.
enum FieldEncoder {
    private static let separator: [UInt8] = [.colon, .space]
    private static let lineEnd: [UInt8] = [.carriageReturn, .lineFeed]
    private static let contentLength = Array("content-length: ".utf8)
    private static let chunked = Array("transfer-encoding: chunked\r\n".utf8)

    /// Appends the fields, the encoded fields, the field that frames the body, and the empty line.
    static func append(
        _ headers: HTTPHeaders, _ encoded: EncodedFields? = nil, framing: BodyFraming,
        to bytes: inout [UInt8]
    ) {
        for field in headers.fields { append(field.name, field.value, to: &bytes) }
        if let encoded { bytes.append(contentsOf: encoded.bytes) }
        switch framing {
        case .none, .untilClose: break
        case .length(let length):
            bytes.append(contentsOf: contentLength)
            bytes.append(contentsOf: String(length).utf8)
            bytes.append(contentsOf: lineEnd)
        case .chunked: bytes.append(contentsOf: chunked)
        }
        bytes.append(contentsOf: lineEnd)
    }

    static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
        guard isWritable(name) else { return }
        bytes.append(contentsOf: name.utf8)
        bytes.append(contentsOf: separator)
        let start = bytes.count
        bytes.append(contentsOf: value.utf8)
        var written = bytes.mutableSpan
        for index in start..<written.count where written[index].isControl && written[index] != .tab {
            written[index] = .space
        }
        bytes.append(contentsOf: lineEnd)
    }

    private static func isWritable(_ name: String) -> Bool {
        let bytes = name.utf8.span
        for index in bytes.indices where !bytes[index].isTokenCharacter { return false }
        return !bytes.isEmpty && !name.equalsIgnoringCase("content-length")
            && !name.equalsIgnoringCase("transfer-encoding")
    }
}
