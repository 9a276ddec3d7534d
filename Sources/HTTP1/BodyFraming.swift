/// The way in which the end of a body is found (RFC 9112 §6).
package enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// The body ends with the connection; for responses only.
    case untilClose

    private static let maximumLengthDigits = 19

    /// Returns the framing that the fields announce; nil if they announce none. Fields that two readers could
    /// take differently are refused.
    static func announced(by headers: HTTPHeaders, minorVersion: Int) throws(HTTPError) -> BodyFraming? {
        guard headers.contains("content-length") || headers.contains("transfer-encoding") else { return nil }
        let lengths = headers.all("content-length")
        let codings = headers.all("transfer-encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw .malformed("it has both a Content-Length and a Transfer-Encoding")
            }
            guard minorVersion >= 1 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
            try checkCodings(codings)
            return .chunked
        }
        guard let text = lengths.first else { return nil }
        guard lengths.count == 1 else { throw .malformed("it has more than one Content-Length") }
        return .length(try length(text))
    }

    private static func checkCodings(_ codings: [String]) throws(HTTPError) {
        if codings.count == 1, codings[0].equalsIgnoringCase("chunked") { return }
        var headers = HTTPHeaders()
        for coding in codings { headers.append("te", coding) }
        let tokens = headers.tokens("te")
        let names = tokens.map { $0.prefix { $0 != ";" && $0 != " " && $0 != "\t" } }
        if let index = names.firstIndex(of: "chunked"), index != names.count - 1 {
            throw .malformed("chunked is not the last transfer coding")
        }
        // The coding has parameters, empty list elements around it, or is missing.
        if names.allSatisfy({ $0 == "chunked" }) { throw .malformed("its Transfer-Encoding is malformed") }
        throw .unsupportedTransferCoding
    }

    /// Reads digits only, without a sign, a list or a space, and at most as many as an Int may need, leading
    /// zeros included: a reader that stops earlier would see another number.
    private static func length(_ text: String) throws(HTTPError) -> Int {
        guard !text.isEmpty else { throw .malformed("its Content-Length is empty") }
        guard text.utf8.count <= maximumLengthDigits else {
            throw .malformed("its Content-Length has more than {1} digits", limit: maximumLengthDigits)
        }
        var value = 0
        for byte in text.utf8 {
            guard byte.isDigit else { throw .malformed("its Content-Length is not a number") }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int(byte - 0x30))
            if overflows || overflowsToo { throw .malformed("its Content-Length is too large for a number") }
            value = sum
        }
        return value
    }
}
