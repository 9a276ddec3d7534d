/// Connections to the addresses of one name, tried side by side (RFC 8305 §4 and §5). Loop only.
///
/// The next address is tried after `delay` without a result, and at once if an attempt fails. The first
/// connection wins, and the other attempts are given up. A family whose packets vanish delays a connection by
/// `delay` and no more.
package final class ConnectionRace {
    /// The time between the starts of two attempts: the Connection Attempt Delay of RFC 8305.
    package static let delay = Duration.milliseconds(250)

    /// The last attempt that failed.
    package struct Failure: Error {
        package let address: SocketAddress
        package let error: SystemError
    }

    package typealias Outcome = Result<(address: SocketAddress, stream: Stream), Failure>

    private let loop: EventLoop
    private let timeout: Duration
    private var waiting: [SocketAddress]
    private var attempts: [Int: Connector] = [:]
    private var started = 0
    private var timer: EventLoop.Timer?
    private var body: ((Outcome) -> Void)?

    /// Starts the race of at least one address. The body is called once, with the first connection or the
    /// last failure. `timeout` is that of each attempt.
    @discardableResult
    package init(
        _ addresses: [SocketAddress], on loop: EventLoop, timeout: Duration,
        _ body: @escaping (Outcome) -> Void
    ) {
        precondition(!addresses.isEmpty, "a race without an address has no end")
        self.loop = loop
        self.timeout = timeout
        self.body = body
        waiting = Self.alternating(addresses)
        startNext()
    }

    /// Returns the addresses with the families taking turns, and otherwise in their order.
    package static func alternating(_ addresses: [SocketAddress]) -> [SocketAddress] {
        let preferred = addresses.filter { $0.family == addresses.first?.family }
        let others = addresses.filter { $0.family != addresses.first?.family }
        var result: [SocketAddress] = []
        for index in 0..<max(preferred.count, others.count) {
            if index < preferred.count { result.append(preferred[index]) }
            if index < others.count { result.append(others[index]) }
        }
        return result
    }

    private func startNext() {
        stopTimer()
        let (address, number) = (waiting.removeFirst(), started)
        started += 1
        var hasEnded = false
        let connector = Connector(address, on: loop, timeout: timeout) { [self] result in
            hasEnded = true
            ended(number, address, result)
        }
        // An attempt may end at once, and start the next one.
        if hasEnded { return }
        attempts[number] = connector
        guard !waiting.isEmpty else { return }
        timer = loop.schedule(after: Self.delay) { [self] in startNext() }
    }

    private func ended(_ number: Int, _ address: SocketAddress, _ result: Result<Stream, SystemError>) {
        attempts[number] = nil
        // An attempt that was given up ends too.
        guard body != nil else { return }
        switch result {
        case .success(let stream): finish(.success((address, stream)))
        case .failure where !waiting.isEmpty: startNext()
        case .failure(let error):
            if attempts.isEmpty { finish(.failure(Failure(address: address, error: error))) }
        }
    }

    private func finish(_ outcome: Outcome) {
        let (body, others) = (self.body.take(), attempts.values)
        attempts = [:]
        waiting = []
        stopTimer()
        for other in others { other.cancel() }
        body?(outcome)
    }

    private func stopTimer() {
        if let timer = timer.take() { loop.cancel(timer) }
    }
}
