/// The reason for which a request does not become a WebSocket.
package enum HandshakeError: Error, Equatable, Sendable {
    /// The method is not GET.
    case methodNotAllowed
    /// The request does not ask for a WebSocket.
    case notAnUpgrade
    /// The request asks for a version other than 13.
    case badVersion
    case badRequest(String)

    /// The status of the answer.
    package var status: Int {
        switch self {
        case .methodNotAllowed: 405
        case .notAnUpgrade, .badVersion: 426
        case .badRequest: 400
        }
    }

    /// The fields that the answer must have (RFC 9110 §15.5.6, §15.5.22; RFC 6455 §4.4).
    package var headers: [(name: String, value: String)] {
        switch self {
        case .methodNotAllowed: [("allow", "GET")]
        case .notAnUpgrade, .badVersion:
            [("upgrade", "websocket"), ("connection", "upgrade"), ("sec-websocket-version", "13")]
        case .badRequest: []
        }
    }

    package var detail: String {
        switch self {
        case .methodNotAllowed: "A WebSocket is opened with GET."
        case .notAnUpgrade: "This is a WebSocket: ask for the upgrade, over HTTP/1.1."
        case .badVersion: "The only WebSocket version that is spoken here is 13."
        case .badRequest(let flaw): "The WebSocket handshake is malformed: \(flaw)."
        }
    }
}
