/// The head of a request, checked so that it can be read in one way only.
package final class RequestHead: Sendable {
    package let method: HTTPMethod
    package let requestTarget: RequestTarget
    /// The minor version of HTTP: 0 or 1.
    package let minorVersion: Int
    package let headers: HTTPHeaders
    package let framing: BodyFraming
    /// Whether another request may follow on the connection. False after CONNECT, whose next bytes are not
    /// HTTP.
    package let keepAlive: Bool
    /// Whether the client offers to switch protocols (RFC 9110 §7.8; HTTP/1.0 cannot).
    package let isUpgrade: Bool
    /// Whether the client waits for `100 Continue` before it sends the body.
    package let expectsContinue: Bool
    /// The bytes of memory that the head takes, nearly.
    package let heldBytes: Int

    package var target: String { requestTarget.raw }
    package var path: String { requestTarget.path }
    package var query: String? { requestTarget.query }
    /// The host that the request is for: the target's own, else the Host field (RFC 9112 §3.2.2).
    package var authority: String? { requestTarget.authority ?? headers.first("host") }

    init(_ line: RequestLine, headers: HTTPHeaders) throws(HTTPError) {
        method = line.method
        requestTarget = line.target
        minorVersion = line.minorVersion
        self.headers = headers
        heldBytes = headers.heldBytes + 2 * line.target.raw.utf8.count
        try Self.checkHost(headers, minorVersion: line.minorVersion)
        framing = try BodyFraming.announced(by: headers, minorVersion: line.minorVersion) ?? .none
        keepAlive =
            method != .connect && !headers.hasToken("close", in: "connection")
            && (minorVersion == 1 || headers.hasToken("keep-alive", in: "connection"))
        isUpgrade =
            minorVersion == 1 && headers.contains("upgrade") && headers.hasToken("upgrade", in: "connection")
        let expects = try Self.expectsContinue(headers)
        expectsContinue = expects && minorVersion == 1 && framing != .none && framing != .length(0)
    }

    private init(_ head: RequestHead, path: String) {
        method = head.method
        var target = head.requestTarget
        target.path = path
        requestTarget = target
        minorVersion = head.minorVersion
        headers = head.headers
        framing = head.framing
        keepAlive = head.keepAlive
        isUpgrade = head.isUpgrade
        expectsContinue = head.expectsContinue
        heldBytes = head.heldBytes
    }

    /// Returns the head without a base path, such as `/switch`, at the beginning of its path; the head itself
    /// if its path is not below the base path, if the base path is empty, or if the rest begins with one of
    /// the inner paths, such as `/metrics`: proxies keep these from the outside by their names.
    package func below(_ base: String, except inner: [String] = []) -> RequestHead {
        if base.isEmpty || !path.utf8.starts(with: base.utf8) { return self }
        let rest = path.utf8.dropFirst(base.utf8.count)
        if rest.isEmpty { return RequestHead(self, path: "/") }
        if rest.first != .slash || inner.contains(where: { rest.starts(with: $0.utf8) }) { return self }
        return RequestHead(self, path: String(Substring(rest)))
    }

    /// Checks the Host field (RFC 9112 §3.2): exactly one in HTTP/1.1, and valid in any version.
    private static func checkHost(_ headers: HTTPHeaders, minorVersion: Int) throws(HTTPError) {
        var host: String?
        for field in headers.fields where field.name.equalsIgnoringCase("host") {
            guard host == nil else { throw .malformed("it has more than one Host") }
            host = field.value
        }
        guard let host else {
            if minorVersion == 0 { return }
            throw .malformed("it has no Host")
        }
        guard Authority.isValid(host.utf8.span) else { throw .malformed("its Host is not valid") }
    }

    private static func expectsContinue(_ headers: HTTPHeaders) throws(HTTPError) -> Bool {
        guard headers.contains("expect") else { return false }
        let expectations = headers.tokens("expect")
        guard expectations.allSatisfy({ $0 == "100-continue" }) else { throw .unsupportedExpectation }
        return !expectations.isEmpty
    }
}

extension RequestHead: Equatable {
    /// All other properties follow from the compared ones.
    package static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.method == right.method && left.requestTarget == right.requestTarget
            && left.minorVersion == right.minorVersion && left.headers == right.headers
    }
}
