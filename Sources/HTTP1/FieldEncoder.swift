/// Writes field lines that cannot end early, whatever text is in them.
///
/// A control character in a value becomes a space; a field whose name is not a token is left out, and so is
/// one that would frame the body, which is the encoder's own to say.
enum FieldEncoder {
    static func append(_ headers: HTTPHeaders, framing: BodyFraming, to bytes: inout [UInt8]) {
        for field in headers.fields where isWritable(field.name) {
            bytes.append(contentsOf: field.name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            for byte in field.value.utf8 {
                bytes.append(byte.isControl && byte != .tab ? .space : byte)
            }
            bytes.append(contentsOf: "\r\n".utf8)
        }
        switch framing {
        case .none, .untilClose: break
        case .length(let length): bytes.append(contentsOf: "content-length: \(length)\r\n".utf8)
        case .chunked: bytes.append(contentsOf: "transfer-encoding: chunked\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
    }

    private static func isWritable(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
            && !name.equalsIgnoringCase("content-length") && !name.equalsIgnoringCase("transfer-encoding")
    }
}
