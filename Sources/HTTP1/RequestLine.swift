/// The line `method SP request-target SP HTTP-version` (RFC 9112 §3), with single spaces and nothing else.
struct RequestLine: Sendable, Equatable {
    var method: HTTPMethod
    var target: RequestTarget
    /// The minor version of HTTP: 0, or 1 for every later minor version.
    var minorVersion: Int

    init(_ line: ArraySlice<UInt8>) throws(HTTPError) {
        guard let methodEnd = line.firstIndex(of: .space),
            let targetEnd = line[(methodEnd + 1)...].firstIndex(of: .space)
        else { throw .malformed("the request line does not have three parts") }
        let method = line[..<methodEnd]
        guard !method.isEmpty, method.count <= HTTPMethod.maximumLength,
            method.allSatisfy(\.isTokenCharacter)
        else { throw .malformed("the method is not a token") }
        self.method = HTTPMethod(rawValue: String(decoding: method, as: UTF8.self))
        minorVersion = try Self.minorVersion(line[(targetEnd + 1)...])
        target = try RequestTarget(line[(methodEnd + 1)..<targetEnd], method: self.method)
    }

    /// Reads `HTTP/1.0`, `HTTP/1.1`, or a later minor version, which is read as 1.1 (RFC 9110 §2.5).
    static func minorVersion(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> Int {
        let version = bytes.span
        guard version.count == 8, bytes.starts(with: "HTTP/".utf8), version[5].isDigit, version[6] == 0x2E,
            version[7].isDigit
        else { throw .malformed("the version is not HTTP/1.1") }
        guard version[5] == 0x31 else { throw .unsupportedVersion }
        return version[7] == 0x30 ? 0 : 1
    }
}
