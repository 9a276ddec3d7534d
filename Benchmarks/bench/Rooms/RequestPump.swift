import Contract
import HTTP1
import Reactor

/// Sends many requests over a few persistent connections, one at a time on each. Loop only.
final class RequestPump {
    /// A request and its token.
    struct Request: Sendable {
        var method: HTTPMethod
        var path: String
        var token: String?
        var body: [UInt8]?
    }

    private typealias Answers = Result<[[UInt8]], BenchError>
    private static let timeout = Duration.seconds(10)

    private let requests: [Request]
    private let address: SocketAddress
    private var answers: [[UInt8]]
    private var begun = 0
    private var missing: Int
    private var continuation: CheckedContinuation<Answers, Never>?
    private var lanes: [RequestLane] = []

    private init(
        _ requests: [Request], _ address: SocketAddress, _ continuation: CheckedContinuation<Answers, Never>
    ) {
        self.requests = requests
        self.address = address
        self.continuation = continuation
        answers = Array(repeating: [], count: requests.count)
        missing = requests.count
    }

    /// Returns the bodies of the answers, in the order of the requests. Throws at an answer that is no
    /// success.
    static func run(
        _ requests: [Request], to address: SocketAddress, on loop: EventLoop, connections: Int = 64
    ) async throws(BenchError) -> [[UInt8]] {
        if requests.isEmpty { return [] }
        let answers = await withCheckedContinuation { continuation in
            loop.execute {
                let pump = RequestPump(requests, address, continuation)
                for _ in 0..<min(connections, requests.count) { pump.open(on: loop) }
            }
        }
        return try answers.get()
    }

    private func open(on loop: EventLoop) {
        Connector(address, on: loop, timeout: Self.timeout) { result in
            switch result {
            case .success(let stream): self.lanes.append(RequestLane(stream, of: self))
            case .failure(let error):
                self.end(.failure(.failed("\(self.address) cannot be reached: \(error).")))
            }
        }
    }

    /// Returns the next request in bytes, and its number; nil when none is left.
    func take() -> (number: Int, method: HTTPMethod, bytes: [UInt8])? {
        guard begun < requests.count else { return nil }
        defer { begun += 1 }
        let request = requests[begun]
        var headers: HTTPHeaders = ["Host": address.description]
        if let token = request.token { headers.append("Authorization", "Bearer \(token)") }
        if request.body != nil { headers.append("Content-Type", "application/json") }
        var bytes: [UInt8] = []
        RequestEncoder.encode(
            method: request.method, target: request.path, headers: headers, body: request.body, into: &bytes)
        return (begun, request.method, bytes)
    }

    func answer(_ number: Int, status: Int, _ body: [UInt8]) {
        guard (200..<300).contains(status) else {
            let path = requests[number].path
            return fail("\(path) was answered with \(status): \(String(decoding: body, as: UTF8.self))")
        }
        answers[number] = body
        missing -= 1
        if missing == 0 { end(.success(answers)) }
    }

    func fail(_ reason: String) { end(.failure(.failed(reason))) }

    private func end(_ result: Answers) {
        guard let continuation else { return }
        self.continuation = nil
        for lane in lanes { lane.close() }
        lanes = []
        continuation.resume(returning: result)
    }
}
