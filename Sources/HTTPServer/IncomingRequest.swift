import Codecs
import HTTP1

/// A request whose head was read: how it is answered, and its body so far.
final class IncomingRequest {
    enum Decision {
        case handle(Router.Handler, Router.Route, parameters: [String], QueryItems)
        /// `OPTIONS *` is answered without a route.
        case answerOptions
        /// No handler gets the request; its body is dropped as it arrives.
        case refuse(HTTPServerError, Router.Route?)
    }

    let head: RequestHead
    /// The client for which the request is counted.
    let client: ClientAddress
    let decision: Decision
    private(set) var body: [UInt8] = []

    init(_ head: RequestHead, from client: ClientAddress, _ decision: Decision) {
        self.head = head
        self.client = client
        self.decision = decision
    }

    var heldBytes: Int { head.heldBytes + body.capacity }

    func append(_ bytes: [UInt8]) {
        if case .refuse = decision { return }
        if body.isEmpty { body = bytes } else { body.append(contentsOf: bytes) }
    }
}

extension HTTPService {
    /// Decides by the head how a request is answered, and the most bytes of its body; nil for the server's
    /// limit, which bodies that are dropped have.
    func decide(_ head: RequestHead) -> (IncomingRequest.Decision, bodyLimit: Int?) {
        do throws(PercentCoding.Failure) {
            if head.path == "*" { return (.answerOptions, 0) }
            switch try router.match(head.method, head.path) {
            case .found(let handler, let route, let parameters, let body):
                let query = try QueryItems(head.query, orNone: route.takesAnyQuery)
                let limit = min(body, bodyLimit(head, route.pattern) ?? body)
                return (.handle(handler, route, parameters: parameters, query), limit)
            case .notFound: return (.refuse(.notFound, nil), nil)
            case .methodNotAllowed(let allowed, let route):
                return (.refuse(.methodNotAllowed(allowed: allowed), route), nil)
            }
        } catch {
            return (.refuse(.notText, nil), nil)
        }
    }
}
