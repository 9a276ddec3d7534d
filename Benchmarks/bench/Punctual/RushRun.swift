import Contract
import Reactor

/// People who hold event streams, and enter their rooms as these open. Loop only.
final class RushRun {
    /// The findings of a run.
    struct Findings: Sendable {
        /// The people whose stream was refused, or put off, at the first attempt.
        var refusedStreams = 0
        /// The time from the first stream's connection to the first block of the last stream, in
        /// milliseconds.
        var lastStream = 0.0
        /// The people whose way into the room was refused at the first attempt.
        var refused = 0
        /// The people who gave up after their last attempt.
        var gaveUp = 0
        /// The connections that were lost.
        var lost = 0
        /// The times from the opening to each entry, in milliseconds.
        var entries: [Double] = []
    }

    private static let timeout = Duration.seconds(20)
    /// The time in which the streams are opened.
    private static let spread = Duration.seconds(1)

    let loop: EventLoop
    /// Whether each person asks for the room and the registration before the entry.
    let asks: Bool
    private let address: SocketAddress
    private let due: Timestamp
    private let patience: Duration
    private var findings = Findings()
    private var people: [RushPerson] = []
    private var connections: [RushConnection] = []
    private var begunStreams = 0
    private var began = Timestamp(microseconds: 0)
    private var continuation: CheckedContinuation<Findings, Never>?

    private init(
        _ loop: EventLoop, to address: SocketAddress, due: Timestamp, patience: Duration, asks: Bool,
        _ continuation: CheckedContinuation<Findings, Never>
    ) {
        self.loop = loop
        self.address = address
        self.due = due
        self.patience = patience
        self.asks = asks
        self.continuation = continuation
    }

    /// Returns when each person is in the room or has given up, or after the patience from the opening on.
    static func run(
        _ tokens: [String], to address: SocketAddress, due: Timestamp, patience: Duration, asks: Bool,
        on loop: EventLoop
    ) async -> Findings {
        await withCheckedContinuation { continuation in
            loop.execute {
                let run = RushRun(
                    loop, to: address, due: due, patience: patience, asks: asks, continuation)
                run.start(tokens)
            }
        }
    }

    private func start(_ tokens: [String]) {
        began = Self.now
        people = tokens.map { RushPerson(token: $0, in: self) }
        for (index, person) in people.enumerated() {
            loop.schedule(after: Self.spread * index / people.count) { person.listen() }
        }
        loop.schedule(after: max(.zero, due.since(began)) + patience) { self.end() }
    }

    /// Opens a connection; one that fails is lost.
    func connect(
        _ heard: @escaping (RushConnection, RushConnection.Heard) -> Void,
        opened: @escaping (RushConnection) -> Void
    ) {
        Connector(address, on: loop, timeout: Self.timeout) { result in
            switch result {
            case .success(let stream):
                let connection = RushConnection(stream, heard)
                self.connections.append(connection)
                opened(connection)
            case .failure: self.lost()
            }
        }
    }

    func streamRefused(first: Bool) { if first { findings.refusedStreams += 1 } }

    func streamBegan() {
        begunStreams += 1
        findings.lastStream = Self.milliseconds(Self.now.since(began))
        guard begunStreams == people.count else { return }
        Output.warn("\(begunStreams) streams are open, \(due.since(Self.now)) before the opening")
    }

    func refused(first: Bool) { if first { findings.refused += 1 } }

    func gaveUp() {
        findings.gaveUp += 1
        endIfComplete()
    }

    func lost() { findings.lost += 1 }

    func entered() {
        findings.entries.append(Self.milliseconds(Self.now.since(due)))
        endIfComplete()
    }

    private func endIfComplete() {
        if findings.entries.count + findings.gaveUp == people.count { end() }
    }

    private func end() {
        guard let continuation else { return }
        self.continuation = nil
        for connection in connections { connection.close() }
        connections = []
        people = []
        continuation.resume(returning: findings)
    }

    private static func milliseconds(_ duration: Duration) -> Double { duration / .milliseconds(1) }

    private static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }
}
