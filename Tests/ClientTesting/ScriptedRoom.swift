package import Contract
package import HTTP1
package import HTTPServer
package import Reactor
import WebSocket

/// A room's socket whose side of the conversation a test writes down.
package struct ScriptedRoom: Sendable {
    /// What the script can do with a connection. Loop only.
    package struct ServerPart {
        package let connection: WebSocketConnection
        /// Of the request, such as epoch and since.
        package let query: QueryItems
        /// From 1.
        package let number: Int
        /// What the client said; nil: it has just come.
        package let message: JSONValue?

        package func send(_ message: ServerMessage) {
            var bytes: [UInt8] = []
            message.append(to: &bytes)
            connection.send(.text, bytes.span.bytes)
        }
    }

    private final class Handler: WebSocketHandler {
        var connection: WebSocketConnection?
        let query: QueryItems
        let number: Int
        let script: @Sendable (ServerPart) -> Void

        init(
            _ connection: WebSocketConnection, _ query: QueryItems, _ number: Int,
            _ script: @escaping @Sendable (ServerPart) -> Void
        ) {
            self.connection = connection
            self.query = query
            self.number = number
            self.script = script
        }

        func received(_ message: RawSpan, isText: Bool) { tell(try? JSONValue.parse(message)) }

        func tell(_ message: JSONValue?) {
            guard let connection else { return }
            script(ServerPart(connection: connection, query: query, number: number, message: message))
        }

        func closed() { connection = nil }
    }

    /// Adds `/socket`. The script is told of each connection, and of each message.
    package static func add(
        to router: inout Router, on loop: EventLoop, _ script: @escaping @Sendable (ServerPart) -> Void
    ) {
        let count = Lock(0)
        router.on(
            .get, Routes.socket,
            .immediate { request in
                let acceptance: ServerHandshake.Acceptance
                do throws(HandshakeError) {
                    acceptance = try ServerHandshake.evaluate(
                        method: "GET", minorVersion: 1, values: request.head.headers.all)
                } catch {
                    return .problem(.upgradeRequired, error.detail)
                }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                var headers = HTTPHeaders()
                for header in acceptance.headers(confirming: acceptance.protocols.first) {
                    headers.append(header.name, header.value)
                }
                return HTTPResponse(
                    upgrade: Upgrade(to: loop, headers: headers) { connection in
                        let handler = Handler(connection, request.query, number, script)
                        if connection.accept(handler, greeting: [UInt8]().span.bytes) { handler.tell(nil) }
                    })
            })
    }
}
