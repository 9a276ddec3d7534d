import Contract
import Reactor

/// Holds the event stream of each person, and records when each person is notified. Loop only.
final class NoticeRun {
    /// The findings of a run.
    struct Findings: Sendable {
        var ledger: NoticeLedger
        /// The number of streams that broke.
        var lost: Int
        var reason: String?
    }

    private typealias Ending = Result<Findings, BenchError>
    private static let timeout = Duration.seconds(20)
    /// The time for which duplicates are awaited after all people were notified.
    private static let aftermath = Duration.seconds(1)

    private let plan: NoticePlan
    private let address: SocketAddress
    private let loop: EventLoop
    private var ledger: NoticeLedger
    private var streams: [NoticeStream] = []
    private var begun = 0
    private var listening = 0
    private var lostCount = 0
    private var reason: String?
    private var continuation: CheckedContinuation<Ending, Never>?
    private var isEnding = false

    private init(
        _ plan: NoticePlan, _ address: SocketAddress, _ loop: EventLoop,
        _ continuation: CheckedContinuation<Ending, Never>
    ) {
        self.plan = plan
        self.address = address
        self.loop = loop
        self.continuation = continuation
        ledger = NoticeLedger(plan)
    }

    /// Returns when all people were notified of every slot, or after the plan's patience.
    static func run(
        _ plan: NoticePlan, to address: SocketAddress, on loop: EventLoop
    ) async throws(BenchError) -> Findings {
        let ending = await withCheckedContinuation { continuation in
            loop.execute {
                let run = NoticeRun(plan, address, loop, continuation)
                run.start()
            }
        }
        return try ending.get()
    }

    private func start() {
        let last = plan.due(plan.slots.count - 1).since(Self.now)
        _ = loop.schedule(after: max(.zero, last) + plan.patience) { self.end() }
        for _ in 0..<min(plan.parallel, plan.tokens.count) { openNext() }
    }

    private func openNext() {
        guard begun < plan.tokens.count, continuation != nil else { return }
        let person = begun
        begun += 1
        Connector(address, on: loop, timeout: Self.timeout) { result in
            switch result {
            case .success(let stream):
                self.streams.append(
                    NoticeStream(stream, of: person, token: self.plan.tokens[person], in: self))
            case .failure(let error): self.fail("\(self.address) cannot be reached: \(error).")
            }
        }
    }

    /// Notes that one more stream has begun, and opens the next.
    func listens() {
        listening += 1
        openNext()
        guard listening == plan.tokens.count else { return }
        let ahead = plan.due(0).since(Self.now)
        guard ahead > .zero else {
            return fail("The first slot was due \(.zero - ahead) before all streams were open.")
        }
        Output.warn("\(listening) streams are open, \(ahead) before the first slot is due")
    }

    func told(_ person: Int, _ data: String, at now: Timestamp) {
        guard let slot = NoticeText.slot(of: data) else {
            return fail("A notification names no slot: \(data)")
        }
        ledger.note(person, slot: slot, at: now)
        guard ledger.isComplete, !isEnding else { return }
        isEnding = true
        _ = loop.schedule(after: Self.aftermath) { self.end() }
    }

    func lost(_ reason: String) {
        guard continuation != nil else { return }
        lostCount += 1
        self.reason = reason
    }

    func fail(_ reason: String) { end(.failure(.failed(reason))) }

    private func end() {
        end(.success(Findings(ledger: ledger, lost: lostCount, reason: reason)))
    }

    private func end(_ ending: Ending) {
        guard let continuation else { return }
        self.continuation = nil
        for stream in streams { stream.close() }
        streams = []
        continuation.resume(returning: ending)
    }

    private static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds()) }
}
