import CPostgres
import Reactor

/// One connection of libpq on its loop: nothing here blocks, and each answer resumes the task that waits for
/// it. Loop only.
///
/// ```
/// connecting ──▶ idle ◀──▶ querying ──▶ copying ◀──▶ pushing
///      │          │ ▲          ▲           │
///      ▼          ▼ │          └───────────┘
///    closed    listening          (from everywhere, closed)
/// ```
final class Channel: EventHandler {
    /// The last result of a statement, or the results of all statements of a pipeline; none of other calls.
    typealias Answer = Result<[ResultHandle], PostgresError>

    private enum Phase {
        /// Nothing is under way; notifications may come.
        case idle
        case connecting(Waiter)
        /// A statement or a pipeline was sent and its results are gathered.
        case querying(Waiter, Exchange)
        /// The server takes the data of a COPY; no task waits.
        case copying
        /// A piece of a COPY is being sent.
        case pushing(Waiter)
        /// Nothing is under way, and a task waits for a notification.
        case listening(Waiter)
        /// There is no connection any more.
        case closed(PostgresError)
    }

    /// The phases from which a call may start.
    private enum Ground { case idle, copying }

    /// The kinds of a query.
    enum Form { case statement, copy, pipeline }

    /// The results of a query so far.
    private struct Exchange {
        let form: Form
        var results: [ResultHandle] = []
        var error: PostgresError?
    }

    /// The number of notifications that are kept until they are taken; with more the connection is closed.
    private static let maximumNotifications = 10_000

    private let loop: EventLoop
    private var pointer: OpaquePointer?
    private var phase: Phase
    private var watched: CInt = -1
    private var interest: EventSet = []
    private var notifications: [PostgresNotification] = []
    private var lastNumber: UInt64 = 0

    init(on loop: EventLoop) {
        self.loop = loop
        phase = .closed(.unavailable("not connected"))
    }

    deinit {
        // The loop holds a watched channel, so a channel that is released was closed, or its loop has ended.
        if let pointer { PQfinish(pointer) }
    }

    /// The reason why the channel is closed; nil while it is open.
    var closeReason: PostgresError? {
        switch phase {
        case .closed(let reason): reason
        case .idle, .connecting, .querying, .copying, .pushing, .listening: nil
        }
    }

    var isIdle: Bool {
        switch phase {
        case .idle: true
        case .connecting, .querying, .copying, .pushing, .listening, .closed: false
        }
    }

    /// Whether no transaction is open, nor one that failed and is not yet rolled back.
    var isOutsideTransaction: Bool { pointer.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? true }

    /// The process id of the server for this session; 0 while there is none.
    var processID: Int32 { pointer.map { PQbackendPID($0) } ?? 0 }

    /// Returns the number of the next waiter, by which it can be cancelled.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    // Calls. Each resumes its waiter once: with the answer, the time-out, or the reason why the connection is
    // gone.

    func connect(_ parameters: [String: String], _ waiter: Waiter) {
        guard case .closed = phase, pointer == nil else { preconditionFailure("already connected") }
        phase = .connecting(waiter)
        arm(waiter)
        pointer = Self.start(parameters)
        guard let pointer, PQstatus(pointer) != CONNECTION_BAD else { return close(connectFailure()) }
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)
        watch(.writable)
    }

    /// Sends a statement by one of libpq's `PQsend…` functions, or the statements of a pipeline by several;
    /// all of them have to return 1.
    func query(_ form: Form, _ waiter: Waiter, _ send: (OpaquePointer) -> CInt) {
        begin(waiter, .querying(waiter, Exchange(form: form))) { pointer in
            guard form == .pipeline else { return send(pointer) }
            guard PQenterPipelineMode(pointer) == 1, send(pointer) == 1 else { return 0 }
            return PQpipelineSync(pointer)
        }
    }

    func push(_ piece: [UInt8], _ waiter: Waiter) {
        guard enter(.pushing(waiter), from: .copying, waiter) else { return }
        guard let pointer else { return }
        let sent = piece.withUnsafeBytes { bytes in
            PQputCopyData(pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(bytes.count))
        }
        // PQputCopyData returns 0 only where its buffer cannot grow.
        sent == 1 ? flush() : lose()
    }

    /// Ends the data of a COPY; with a reason, the server refuses it all.
    func endCopy(abandoning reason: String?, _ waiter: Waiter) {
        guard enter(.querying(waiter, Exchange(form: .statement)), from: .copying, waiter) else { return }
        guard let pointer else { return }
        guard PQputCopyEnd(pointer, reason) == 1 else { return lose() }
        flush()
        // If the server refused a row, the answer may have been read already: no event would come for it.
        gatherResults()
    }

    /// Returns the notifications that have come, and forgets them.
    func takeNotifications() -> [PostgresNotification] {
        defer { notifications.removeAll() }
        return notifications
    }

    /// Resumes the waiter at the next notification, or at its time-out, which is no failure here.
    func listen(_ waiter: Waiter) {
        begin(waiter, .listening(waiter)) { _ in 1 }
        if !notifications.isEmpty { stopListening() }
    }

    /// Closes the connection if the waiter of that number is still waiting: libpq has no other way to cancel
    /// that does not block.
    func cancel(_ number: UInt64) {
        guard let waiter, waiter.number == number else { return }
        close(.cancelled)
    }

    func close(_ reason: PostgresError) {
        if case .closed = phase { return }
        let waiter = waiter
        phase = .closed(reason)
        unwatch()
        if let pointer { PQfinish(pointer) }
        pointer = nil
        notifications = []
        resume(waiter, .failure(reason))
    }

    package func ready(_ events: EventSet) {
        switch phase {
        case .connecting(let waiter): continueConnecting(waiter)
        case .querying, .copying, .pushing, .idle, .listening: receive()
        case .closed: unwatch()
        }
    }

    // Steps.

    private var waiter: Waiter? {
        switch phase {
        case .connecting(let waiter), .querying(let waiter, _), .pushing(let waiter), .listening(let waiter):
            waiter
        case .idle, .copying, .closed: nil
        }
    }

    private func begin(_ waiter: Waiter, _ next: Phase, _ send: (OpaquePointer) -> CInt) {
        guard enter(next, from: .idle, waiter), let pointer else { return }
        if send(pointer) == 1 { return flush() }
        if PQstatus(pointer) == CONNECTION_BAD { return lose() }
        let error = PostgresError.invalid(trimmedMessage(PQerrorMessage(pointer)))
        // A part of a pipeline cannot be taken back.
        guard PQpipelineStatus(pointer) == PQ_PIPELINE_OFF else { return close(error) }
        phase = .idle
        resume(waiter, .failure(error))
    }

    /// Moves to the next phase. Returns false if the connection is closed, and tells the waiter so.
    private func enter(_ next: Phase, from ground: Ground, _ waiter: Waiter) -> Bool {
        switch phase {
        case .idle where ground == .idle, .copying where ground == .copying:
            phase = next
            arm(waiter)
            return true
        case .closed(let reason):
            resume(waiter, .failure(reason))
            return false
        case .idle, .connecting, .querying, .copying, .pushing, .listening:
            preconditionFailure("a connection does one thing at a time")
        }
    }

    private func arm(_ waiter: Waiter) {
        guard let timeout = waiter.timeout else { return }
        waiter.timer = loop.schedule(after: timeout) { [weak self] in self?.expire(waiter.number) }
    }

    private func expire(_ number: UInt64) {
        guard let waiter, waiter.number == number else { return }
        if case .listening = phase { stopListening() } else { close(.timedOut) }
    }

    private func resume(_ waiter: Waiter?, _ answer: Answer) {
        guard let waiter else { return }
        if let timer = waiter.timer { loop.cancel(timer) }
        waiter.timer = nil
        waiter.continuation.resume(returning: answer)
    }

    private func continueConnecting(_ waiter: Waiter) {
        guard let pointer else { return }
        // libpq may close its socket in here and open another, perhaps with the same number.
        unwatch()
        switch PQconnectPoll(pointer) {
        case PGRES_POLLING_READING: watch(.readable)
        case PGRES_POLLING_WRITING: watch(.writable)
        case PGRES_POLLING_OK:
            guard PQsetnonblocking(pointer, 1) == 0 else { return close(connectFailure()) }
            phase = .idle
            watch(.readable)
            resume(waiter, closeReason.map { .failure($0) } ?? .success([]))
        default: close(connectFailure())
        }
    }

    private func connectFailure() -> PostgresError {
        .unavailable(pointer.map { trimmedMessage(PQerrorMessage($0)) } ?? "out of memory")
    }

    private func receive() {
        guard let pointer else { return }
        guard PQconsumeInput(pointer) == 1 else { return lose() }
        gatherNotifications()
        switch phase {
        case .querying:
            gatherResults()
            if case .querying = phase { flush() }
        case .pushing: flush()
        case .listening: if !notifications.isEmpty { stopListening() }
        case .idle, .copying, .connecting, .closed: break
        }
    }

    /// Writes the data that libpq holds; if some is left, watches until the socket is writable.
    private func flush() {
        guard let pointer else { return }
        switch PQflush(pointer) {
        case 0:
            watch(.readable)
            if case .pushing(let waiter) = phase {
                phase = .copying
                resume(waiter, .success([]))
            }
        case 1: watch([.readable, .writable])
        default: lose()
        }
    }

    private func gatherResults() {
        while let pointer, case .querying(let waiter, let exchange) = phase, PQisBusy(pointer) == 0 {
            if let next = PQgetResult(pointer) {
                accept(ResultHandle(adopting: next), exchange, waiter)
            } else if PQstatus(pointer) != CONNECTION_OK {
                lose()
            } else if exchange.form != .pipeline {
                finish(exchange, waiter)
            }
            // In a pipeline nil ends the results of one statement, and PGRES_PIPELINE_SYNC ends them all.
        }
    }

    private func finish(_ exchange: Exchange, _ waiter: Waiter) {
        phase = .idle
        gatherNotifications()
        resume(waiter, exchange.error.map { .failure($0) } ?? .success(exchange.results))
    }

    private func accept(_ result: ResultHandle, _ exchange: Exchange, _ waiter: Waiter) {
        var exchange = exchange
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            if exchange.form != .pipeline { exchange.results.removeAll() }
            exchange.results.append(result)
            phase = .querying(waiter, exchange)
        case PGRES_PIPELINE_SYNC:
            guard let pointer, PQexitPipelineMode(pointer) == 1 else { return lose() }
            finish(exchange, waiter)
        case PGRES_PIPELINE_ABORTED: break  // An earlier statement has failed; this one was not run.
        case PGRES_COPY_IN where exchange.form == .copy:
            phase = .copying
            resume(waiter, .success([]))
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            close(.invalid("COPY is for copyIn, and only FROM STDIN"))
        default:
            let error = result.serverError.map { PostgresError.server($0) }
            exchange.error = exchange.error ?? error ?? .connectionLost(result.errorMessage)
            phase = .querying(waiter, exchange)
        }
    }

    /// Closes a broken connection. The reason is the last error of the server, if it sent one.
    private func lose() {
        guard let pointer else { return }
        var reason = trimmedMessage(PQerrorMessage(pointer))
        if case .querying(_, let exchange) = phase, case .server(let error) = exchange.error {
            reason = error.message
        }
        // A broken connection has at most a few results left.
        for _ in 0..<8 {
            guard PQisBusy(pointer) == 0, let next = PQgetResult(pointer) else { break }
            let result = ResultHandle(adopting: next)
            if let error = result.serverError { reason = error.message }
        }
        close(.connectionLost(reason))
    }

    private func gatherNotifications() {
        guard let pointer else { return }
        while let next = PQnotifies(pointer) {
            notifications.append(
                PostgresNotification(
                    channel: String(cString: next.pointee.relname),
                    payload: String(cString: next.pointee.extra), processID: next.pointee.be_pid))
            PQfreemem(next)
        }
        if notifications.count > Self.maximumNotifications {
            close(.connectionLost("more notifications than are taken"))
        }
    }

    private func stopListening() {
        guard case .listening(let waiter) = phase else { return }
        phase = .idle
        resume(waiter, .success([]))
    }

    private func watch(_ events: EventSet) {
        guard let pointer else { return }
        do throws(SystemError) {
            if watched < 0 {
                let descriptor = PQsocket(pointer)
                guard descriptor >= 0 else { return close(.connectionLost("no socket")) }
                try loop.register(descriptor, events, handler: self)
                watched = descriptor
            } else if events != interest {
                try loop.modify(watched, events)
            }
            interest = events
        } catch {
            close(.connectionLost("\(error)"))
        }
    }

    private func unwatch() {
        guard watched >= 0 else { return }
        loop.unregister(watched)
        watched = -1
        interest = []
    }

    private static func start(_ parameters: [String: String]) -> OpaquePointer? {
        var keywords: [UnsafePointer<CChar>?] = []
        var values: [UnsafePointer<CChar>?] = []
        var owned: [UnsafeMutablePointer<CChar>] = []
        defer { for pointer in owned { pointer.deallocate() } }
        for (keyword, value) in parameters {
            let copies = [copy(keyword), copy(value)]
            owned += copies
            keywords.append(copies[0])
            values.append(copies[1])
        }
        return PQconnectStartParams(keywords + [nil], values + [nil], 0)
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = text.utf8CString
        let pointer = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { pointer[index] = byte }
        return pointer
    }
}
