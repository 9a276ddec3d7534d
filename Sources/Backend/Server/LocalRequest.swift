import API
import HTTP1
import Reactor

/// A GET request to a server on this machine: for the health check, and to find out which server has our
/// port.
enum LocalRequest {
    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Sends the request. Throws `Failure` if there is no answer in HTTP within three seconds.
    static func get(_ path: String, at address: SocketAddress, on loop: EventLoop) async throws -> Answer {
        let result = await withCheckedContinuation { continuation in
            loop.execute { Exchange(path, address, loop, continuation).start() }
        }
        return try result.get()
    }

    private final class Exchange: StreamDelegate {
        private static let timeout = Duration.seconds(3)

        private let path: String
        private let address: SocketAddress
        private let loop: EventLoop
        private var continuation: CheckedContinuation<Result<Answer, Failure>, Never>?
        private var parser = ResponseParser(responseTo: .get, limits: .responses)
        private var answer = Answer(status: 0, body: [])
        private var stream: Stream?
        private var timer: EventLoop.Timer?

        init(
            _ path: String, _ address: SocketAddress, _ loop: EventLoop,
            _ continuation: CheckedContinuation<Result<Answer, Failure>, Never>
        ) {
            self.path = path
            self.address = address
            self.loop = loop
            self.continuation = continuation
        }

        func start() {
            timer = loop.schedule(after: Self.timeout) {
                self.finish(.failure(Failure(description: "no answer")))
            }
            Connector(address, on: loop, timeout: Self.timeout) { result in
                switch result {
                case .failure(let error): self.finish(.failure(Failure(description: "\(error)")))
                case .success(let stream): self.send(on: stream)
                }
            }
        }

        private func send(on stream: Stream) {
            self.stream = stream
            stream.delegate = self
            var bytes: [UInt8] = []
            RequestEncoder.encode(
                method: .get, target: path, headers: ["Host": "\(address)", "Connection": "close"], body: nil,
                into: &bytes)
            stream.write(bytes)
        }

        func received(_ bytes: inout MutableRawSpan) {
            parser.receive(bytes.bytes)
            read()
        }

        private func read() {
            do throws(HTTPError) {
                while let event = try parser.next() {
                    switch event {
                    case .head(let head): answer.status = head.status
                    case .body(let bytes): answer.body += bytes
                    case .end: finish(.success(answer))
                    }
                }
            } catch {
                finish(.failure(Failure(description: error.detail)))
            }
        }

        func ended() {
            finish(.failure(Failure(description: "the connection was closed")))
        }

        func failed(_ error: SystemError) { finish(.failure(Failure(description: "\(error)"))) }

        func drained() {}

        private func finish(_ result: Result<Answer, Failure>) {
            guard let continuation else { return }
            self.continuation = nil
            if let timer { loop.cancel(timer) }
            timer = nil
            stream?.close()
            stream = nil
            continuation.resume(returning: result)
        }
    }
}
