import Contract
import Database
import HTTP1
import HTTPServer
import Reactor
import SocketTesting
import TestKit

@testable import Cluster

/// A server with the internal calls on a loopback address, and the caller by which tests reach it.
final class PeerServer: Sendable {
    let talk: PeerTalk
    let address: String
    private let group: EventLoopGroup
    private let server: HTTPServer

    init(
        _ incarnation: Identifier, key: PeerKey = PeerServer.key,
        now: @escaping @Sendable () -> Timestamp = { PeerServer.now },
        terms: @escaping @Sendable ([Identifier]) async -> [Identifier: Int32] = { _ in [:] }
    ) async throws {
        talk = PeerTalk(
            me: incarnation, key: key, now: now, caller: SocketCaller(loop: TestLoops.next()),
            on: TestLoops.next())
        var router = Router()
        InternalAPI(talk: talk, terms: terms).add(to: &router)
        group = try EventLoopGroup(count: 1, name: "cluster")
        let service = HTTPService(router: router, refuse: { _, _ in HTTPResponse(status: 404) })
        server = try await HTTPServer(service, on: group.loops, binding: Loopback.address)
        address = "http://\(server.address)"
    }

    deinit { group.shutdown() }

    static let key = PeerKey("the key of this cluster, in tests")
    static let now = Timestamp(seconds: 1_800_000_000)
}

/// Requests by connections of their own, as the server sends them.
struct SocketCaller: PeerCalling {
    let loop: EventLoop

    func send(
        _ call: PeerCall, to address: SocketAddress, timeout: Duration
    ) async throws(PeerCallError) -> PeerAnswer {
        let result = await withCheckedContinuation { continuation in
            loop.execute { [loop] in Exchange(call, loop, continuation).start(address, timeout) }
        }
        return try result.get()
    }

    private final class Exchange: StreamDelegate {
        private let call: PeerCall
        private let loop: EventLoop
        private var continuation: CheckedContinuation<Result<PeerAnswer, PeerCallError>, Never>?
        private var parser: ResponseParser
        private var answer = PeerAnswer(status: 0, headers: [:], body: [])
        private var stream: Stream?

        init(
            _ call: PeerCall, _ loop: EventLoop,
            _ continuation: CheckedContinuation<Result<PeerAnswer, PeerCallError>, Never>
        ) {
            self.call = call
            self.loop = loop
            self.continuation = continuation
            parser = ResponseParser(responseTo: call.method, limits: .responses)
        }

        func start(_ address: SocketAddress, _ timeout: Duration) {
            Connector(address, on: loop, timeout: timeout) { result in
                switch result {
                case .failure(.failed(_, let code)):
                    self.finish(.failure(code == 111 ? .refused : .noAnswer("error \(code)")))
                case .success(let stream): self.send(on: stream)
                }
            }
        }

        private func send(on stream: Stream) {
            self.stream = stream
            stream.delegate = self
            var headers: HTTPHeaders = ["Host": call.host, "Connection": "close"]
            for field in call.headers.fields { headers.append(field.name, field.value) }
            var bytes: [UInt8] = []
            RequestEncoder.encode(
                method: call.method, target: call.target, headers: headers,
                body: call.method == .post ? call.body : nil, into: &bytes)
            stream.write(bytes)
        }

        func received(_ bytes: inout MutableRawSpan) {
            parser.receive(bytes.bytes)
            do throws(HTTPError) {
                while let event = try parser.next() {
                    switch event {
                    case .head(let head):
                        answer.status = head.status
                        answer.headers = head.headers
                    case .body(let bytes): answer.body += bytes
                    case .end: finish(.success(answer))
                    }
                }
            } catch {
                finish(.failure(.noAnswer(error.detail)))
            }
        }

        func ended() { finish(.failure(.noAnswer("closed"))) }

        func failed(_ error: SystemError) { finish(.failure(.noAnswer("\(error)"))) }

        func drained() {}

        private func finish(_ result: Result<PeerAnswer, PeerCallError>) {
            guard let continuation else { return }
            self.continuation = nil
            stream?.close()
            stream = nil
            continuation.resume(returning: result)
        }
    }
}
