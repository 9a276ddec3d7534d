/// The reason for which a message is refused. After any of these errors the connection has no message
/// boundary left: answer, then close.
package enum HTTPError: Error, Equatable, Sendable {
    /// The bytes are not a message of HTTP/1.1, or could be read in two ways. The limit is the
    /// `{1}` of the flaw.
    case malformed(String, limit: Int? = nil)
    /// The start line is longer than `HTTPLimits.startLine`.
    case targetTooLong(limit: Int)
    /// The field lines, or the trailers, have more bytes than their limit permits.
    case headersTooLarge(limit: Int)
    /// There are more fields than `HTTPLimits.headerCount`.
    case tooManyHeaders(limit: Int)
    /// The body is longer than the limit of this message.
    case bodyTooLarge(limit: Int)
    /// `Expect` asks for something other than `100-continue`.
    case unsupportedExpectation
    /// `Transfer-Encoding` names a coding other than `chunked`.
    case unsupportedTransferCoding
    /// The major version is not 1.
    case unsupportedVersion
    /// The peer closed in the middle of a message.
    case truncated

    /// The status of the answer to a request.
    package var status: Int {
        switch self {
        case .malformed, .truncated: 400
        case .targetTooLong: 414
        case .headersTooLarge, .tooManyHeaders: 431
        case .bodyTooLarge: 413
        case .unsupportedExpectation: 417
        case .unsupportedTransferCoding: 501
        case .unsupportedVersion: 505
        }
    }

    /// The description for people, in one sentence.
    package var detail: String { sentences.reversed().reduce("") { $1.replacing("{1}", with: $0) } }

    /// The sentence of `detail` and its arguments: each is the `{1}` of the one before it. A catalogue of
    /// languages has the sentences as keys.
    package var sentences: [String] {
        switch self {
        case .malformed(let flaw, nil): ["The message is malformed: {1}.", flaw]
        case .malformed(let flaw, let limit?): ["The message is malformed: {1}.", flaw, "\(limit)"]
        case .targetTooLong(let limit): ["The first line is longer than {1} bytes.", "\(limit)"]
        case .headersTooLarge(let limit): ["The header fields are longer than {1} bytes.", "\(limit)"]
        case .tooManyHeaders(let limit): ["There are more than {1} header fields.", "\(limit)"]
        case .bodyTooLarge(let limit): ["The body is longer than {1} bytes.", "\(limit)"]
        case .unsupportedExpectation: ["The only expectation that can be met is 100-continue."]
        case .unsupportedTransferCoding: ["The only transfer coding that is understood is chunked."]
        case .unsupportedVersion: ["Only HTTP/1.1 and HTTP/1.0 are spoken here."]
        case .truncated: ["The connection ended in the middle of a message."]
        }
    }
}
