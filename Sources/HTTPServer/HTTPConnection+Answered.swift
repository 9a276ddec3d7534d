import HTTP1
import Reactor
import Tracing

/// The access log records and trace spans of requests.
extension HTTPConnection {
    /// Returns the span of a request; nil if it is not traced.
    func span(of head: RequestHead, _ route: Router.Route, _ id: RequestID) -> Span? {
        guard let trace = worker.service.trace else { return nil }
        return trace(head, route.pattern, knownPeer?.isTrusted ?? false, id.lot)
    }

    /// Reports a request that was answered without a handler to the service. The head is nil if none was
    /// read.
    func answered(
        _ response: HTTPResponse, to head: RequestHead?, _ route: Router.Route?, _ client: ClientAddress,
        _ id: RequestID
    ) {
        worker.service.answered(
            AnsweredRequest(
                method: head?.method, route: route, request: nil, status: response.status, seconds: 0,
                bytes: response.byteCount(for: head), client: client, isStream: false, account: nil,
                requestID: id))
    }

    /// Reports a request that a handler has answered to the service.
    func answered(
        _ request: HTTPRequest, _ status: Int, since started: UInt64?, bytes: Int,
        account: (any CustomStringConvertible & Sendable)?, isStream: Bool = false
    ) {
        let seconds = started.map { Double(Monotonic.nanoseconds() &- $0) / 1e9 } ?? 0
        worker.service.answered(
            AnsweredRequest(
                request, status: status, seconds: seconds, bytes: bytes, account: account,
                isStream: isStream))
    }
}
