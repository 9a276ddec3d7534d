/// The head of a response.
package struct ResponseHead: Sendable, Equatable {
    package let status: Int
    package let reason: String
    package let minorVersion: Int
    package let headers: HTTPHeaders
    package let framing: BodyFraming
    /// Whether another request may be sent on the connection.
    package let keepAlive: Bool

    /// Reads `HTTP-version SP 3DIGIT [SP reason]` (RFC 9112 §4). The framing is that of §6.3.
    init(line: StatusLine, headers: HTTPHeaders, responseTo method: HTTPMethod) throws(HTTPError) {
        status = line.status
        reason = line.reason
        minorVersion = line.minorVersion
        self.headers = headers
        let announced = try BodyFraming.announced(by: headers, minorVersion: minorVersion)
        if method == .head || status < 200 || status == 204 || status == 304 {
            framing = .none
        } else {
            framing = announced ?? .untilClose
        }
        keepAlive =
            framing != .untilClose && !headers.hasToken("close", in: "connection")
            && (minorVersion == 1 || headers.hasToken("keep-alive", in: "connection"))
    }
}
