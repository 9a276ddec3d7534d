import Contract
import HTTP1
import HTTPServer
import Reactor

/// Receives the webhooks of all people, and records when each arrived. Loop only.
final class WebhookRun {
    private typealias Ending = Result<NoticeRun.Findings, BenchError>
    /// The time for which duplicates are awaited after all people were notified.
    private static let aftermath = Duration.seconds(1)

    private let plan: WebhookPlan
    private let loop: EventLoop
    private var ledger: NoticeLedger
    private var strangers = 0
    private var reason: String?
    private var continuation: CheckedContinuation<Ending, Never>?
    private var isEnding = false

    private init(_ plan: WebhookPlan, _ loop: EventLoop) {
        self.plan = plan
        self.loop = loop
        ledger = NoticeLedger(people: plan.people, slots: plan.slots, lead: plan.lead)
    }

    /// Returns when all people were notified of every slot, or after the plan's patience. The work starts
    /// once all hosts listen.
    static func run(
        _ plan: WebhookPlan, on loop: EventLoop, beside work: @Sendable () async throws -> Void = {}
    ) async throws -> NoticeRun.Findings {
        let run = await loop.submit { LoopBound(WebhookRun(plan, loop), to: loop) }
        let service = service(for: run)
        var servers: [HTTPServer] = []
        for host in 1...plan.hosts {
            let address = try Self.address("127.0.1.\(host)", plan.port)
            servers.append(try await HTTPServer(service, on: [loop], binding: address))
        }
        // The accept queue of each silent host holds two connections, which get no answer; later ones cannot
        // connect.
        var silence: [Listener] = []
        for host in 0..<plan.silent {
            let address = try Self.address("127.0.2.\(host + 1)", plan.port)
            silence.append(try Listener(binding: address, backlog: 1))
        }
        Output.warn("\(servers.count) hosts listen, \(silence.count) are silent")
        async let ending = withCheckedContinuation { continuation in
            loop.execute { run.value.start(continuation) }
        }
        try await work()
        let findings = await ending
        for server in servers { await server.drain() }
        return try findings.get()
    }

    private static func address(_ host: String, _ port: UInt16) throws(BenchError) -> SocketAddress {
        guard let address = SocketAddress(numeric: host, port: port) else {
            throw .failed("\(host) is no address.")
        }
        return address
    }

    private static func service(for run: LoopBound<WebhookRun>) -> HTTPService {
        var router = Router()
        router.on(
            .post, "/{person}", body: 64 * 1024,
            .immediate { request in
                run.value.received(request)
                return HTTPResponse(status: 204)
            })
        return HTTPService(router: router) { fault, _, _ in
            HTTPResponse(status: 400, body: Array("\(fault)\n".utf8))
        }
    }

    private func start(_ continuation: CheckedContinuation<Ending, Never>) {
        self.continuation = continuation
        let last = plan.lastDue?.since(Timestamp(microseconds: WallClock.microseconds())) ?? .zero
        _ = loop.schedule(after: max(.zero, last) + plan.patience) { self.end() }
    }

    private func received(_ request: HTTPRequest) {
        let now = Timestamp(microseconds: WallClock.microseconds())
        let text = String(decoding: request.body, as: UTF8.self)
        guard let person = request.parameters.first.flatMap({ Int($0) }), (0..<plan.people).contains(person),
            let slot = NoticeText.slot(of: text)
        else {
            strangers += 1
            reason = "A webhook names no person or no slot: \(request.head.target)"
            return
        }
        ledger.note(person, slot: slot, at: now)
        guard ledger.isComplete, !isEnding else { return }
        isEnding = true
        _ = loop.schedule(after: Self.aftermath) { self.end() }
    }

    private func end() {
        guard let continuation else { return }
        self.continuation = nil
        continuation.resume(
            returning: .success(NoticeRun.Findings(ledger: ledger, lost: strangers, reason: reason)))
    }
}
