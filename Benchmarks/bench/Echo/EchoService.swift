import HTTP1
import HTTPServer
import Reactor
import WebSocket

/// A service that echoes at `/` and answers 404 at every other path.
enum EchoService {
    static func make(on loop: EventLoop) -> HTTPService {
        var router = Router()
        router.on(.get, "/", .immediate { request in answer(request, on: loop) })
        return HTTPService(router: router) { fault, _, _ in
            HTTPResponse(status: status(of: fault), body: Array("\(fault)\n".utf8))
        }
    }

    private static func answer(_ request: HTTPRequest, on loop: EventLoop) -> HTTPResponse {
        var headers = HTTPHeaders()
        do throws(HandshakeError) {
            let acceptance = try ServerHandshake.evaluate(
                method: request.head.method.rawValue, minorVersion: request.head.minorVersion,
                values: { request.head.headers.all($0) })
            for field in acceptance.headers(confirming: nil) { headers.append(field.name, field.value) }
        } catch {
            for field in error.headers { headers.append(field.name, field.value) }
            return HTTPResponse(status: error.status, headers: headers, body: Array("\(error.detail)\n".utf8))
        }
        return HTTPResponse(
            upgrade: Upgrade(to: loop, headers: headers) { connection in
                connection.accept(Echo(connection))
                return nil
            })
    }

    private static func status(of fault: HTTPServerError) -> Int {
        switch fault {
        case .unreadable, .badTarget: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .timedOut: 408
        case .tooManyRequests, .tooManyConnectionsFromAddress: 429
        case .tooManyConnections, .outOfMemory: 503
        }
    }
}
