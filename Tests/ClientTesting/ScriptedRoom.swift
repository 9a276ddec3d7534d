package import Contract
package import HTTP1
package import HTTPServer
package import Reactor
import TestKit
import WebSocket

/// A room's socket whose server side a test scripts.
package struct ScriptedRoom: Sendable {
    /// A connection as the script sees it. Loop only.
    package struct ServerPart {
        package let connection: WebSocketConnection
        /// The query of the request, such as epoch and since.
        package let query: QueryItems
        /// The number of the connection, from 1.
        package let number: Int
        /// The token of the request's `Authorization`; nil if it has none.
        package let token: String?
        /// The client's message; nil when the client has just connected.
        package let message: JSONValue?

        package func send(_ message: ServerMessage) {
            var bytes: [UInt8] = []
            message.append(to: &bytes)
            connection.send(.text, bytes.span.bytes)
        }

        /// Returns the id of the client's message. Sends the handshake to a client that has just connected.
        package func messageIdAfterHandshake() -> String? {
            if let id = message?["messageId"]?.string { return id }
            send(Sample.handshake())
            return nil
        }
    }

    private final class Handler: WebSocketHandler {
        var connection: WebSocketConnection?
        let query: QueryItems
        let number: Int
        let token: String?
        let script: @Sendable (ServerPart) -> Void

        init(
            _ connection: WebSocketConnection, _ query: QueryItems, _ number: Int, _ token: String?,
            _ script: @escaping @Sendable (ServerPart) -> Void
        ) {
            self.connection = connection
            self.query = query
            self.number = number
            self.token = token
            self.script = script
        }

        func received(_ message: RawSpan, isText: Bool) { tell(try? JSONValue.parse(message)) }

        func tell(_ message: JSONValue?) {
            guard let connection else { return }
            script(
                ServerPart(
                    connection: connection, query: query, number: number, token: token, message: message))
        }

        func closed() { connection = nil }
    }

    /// Adds `/socket` to the router. The script is called for each connection, and for each message. A
    /// request whose token `admits` does not take is a 401.
    package static func add(
        to router: inout Router, on loop: EventLoop,
        admits: @escaping @Sendable (_ token: String?) -> Bool = { _ in true },
        _ script: @escaping @Sendable (ServerPart) -> Void
    ) {
        let count = Lock(0)
        router.immediate(.get, Routes.socket) { request in
            let token = request.head.headers.first("authorization").map { String($0.dropFirst(7)) }
            guard admits(token) else { return .problem(.unauthenticated, "This token is not taken.") }
            let acceptance: ServerHandshake.Acceptance
            do throws(HandshakeError) {
                acceptance = try ServerHandshake.evaluate(
                    method: "GET", minorVersion: 1, values: request.head.headers.all)
            } catch {
                return .problem(.upgradeRequired, error.detail)
            }
            let number = count.countUp()
            var headers = HTTPHeaders()
            for header in acceptance.headers(confirming: acceptance.protocols.first) {
                headers.append(header.name, header.value)
            }
            return HTTPResponse(
                upgrade: Upgrade(to: loop, headers: headers) { connection in
                    let handler = Handler(connection, request.query, number, token, script)
                    connection.accept(handler)
                    handler.tell(nil)
                    return nil
                })
        }
    }
}
