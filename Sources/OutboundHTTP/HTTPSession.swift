package import Reactor

/// Sends requests and keeps connections. Redirects are not followed, and no name service is asked; a proxy
/// only if the request names one.
///
/// An HTTP/2 connection on which an answer times out gets no more requests: libcurl would put all further
/// ones on it.
package final class HTTPSession: Sendable {
    private struct Lane {
        let line: HTTPLine
        var requests = 0
    }

    private struct State {
        /// The last lane takes new requests. Those before it were left, and close with their last answer.
        var lanes: [Lane]
        var isClosed = false

        mutating func begin() -> HTTPLine {
            lanes[lanes.count - 1].requests += 1
            return lanes[lanes.count - 1].line
        }

        /// Ends a request, and returns its line if that is of no use any more. `next` returns the line that
        /// replaces this one, if this one is the last and does not answer.
        mutating func end(_ line: HTTPLine, leavingFor next: () -> HTTPLine?) -> HTTPLine? {
            guard let index = lanes.firstIndex(where: { $0.line === line }) else { return nil }
            lanes[index].requests -= 1
            if index == lanes.count - 1, !isClosed, let next = next() { lanes.append(Lane(line: next)) }
            guard index < lanes.count - 1, lanes[index].requests == 0 else { return nil }
            return lanes.remove(at: index).line
        }
    }

    let loop: EventLoop
    let configuration: HTTPSessionConfiguration
    private let state: Lock<State>

    /// Creates a session; nil if there is no memory. `close` has to be called at the end.
    package init?(_ configuration: HTTPSessionConfiguration, on loop: EventLoop) {
        guard let line = HTTPLine(configuration, on: loop) else { return nil }
        self.loop = loop
        self.configuration = configuration
        state = Lock(State(lanes: [Lane(line: line)]))
    }

    /// Ends every request with `cancelled`, and all connections. Nothing can be sent afterwards.
    package func close() async {
        let lines = state.withLock { state in
            state.isClosed = true
            return state.lanes.map(\.line)
        }
        for line in lines { await line.close() }
    }

    /// Returns the answer, whatever its status.
    package func perform(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let line = state.withLock { $0.begin() }
        let result = await Result { () async throws(OutboundError) in try await line.perform(request) }
        var isQuiet = false
        if case .failure(.timedOut) = result { isQuiet = configuration.version == .http2 }
        let over = state.withLock { state in
            state.end(line) { isQuiet ? HTTPLine(configuration, on: loop) : nil }
        }
        await over?.close()
        return try result.get()
    }
}
