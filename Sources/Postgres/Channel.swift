import CPostgres
import Reactor

/// One connection of libpq on its loop: nothing here blocks, and each answer resumes the task that waits for
/// it. Loop only.
///
/// With a `Recovery` the connection outlives its callers: a call of a task that is cancelled runs to its end
/// or time-out, its answer is discarded, and the session is restored. The caller makes no call while
/// `isAbandoned` is set. Without a `Recovery` the connection is closed.
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

    /// The number of notifications that are kept until they are taken; with more the connection is closed.
    private static let maximumNotifications = 10_000

    private let loop: EventLoop
    private var pointer: OpaquePointer?
    private var phase: Phase
    private var socket = SocketWatch()
    private var notifications: [PostgresNotification] = []
    /// Why the server ends a session in which no statement is under way.
    private var farewell: String?
    private var lastNumber: UInt64 = 0
    var recovery: Recovery?
    /// Whether a task was cancelled during its call, since the last `relend`.
    private(set) var isAbandoned = false

    init(on loop: EventLoop) {
        self.loop = loop
        phase = .closed(.unavailable("not connected"))
    }

    deinit {
        // The loop holds a watched channel, so a channel that is released was closed, or its loop has ended.
        if let pointer { PQfinish(pointer) }
    }

    /// The reason why the channel is closed; nil while it is open.
    var closeReason: PostgresError? { if case .closed(let reason) = phase { reason } else { nil } }

    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// Whether the server takes the data of a COPY, and no call is under way.
    var isCopying: Bool { if case .copying = phase { true } else { false } }

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
        pointer = ConnectionStart.begin(parameters)
        guard let pointer, PQstatus(pointer) != CONNECTION_BAD else { return close(connectFailure()) }
        ignoreNotices(pointer)
        watch(.writable)
    }

    /// Sends a statement by one of libpq's `PQsend…` functions, or the statements of a pipeline by several;
    /// all of them have to return 1.
    func query(_ form: Exchange.Form, _ waiter: Waiter, _ send: (OpaquePointer) -> CInt) {
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

    /// Ends the wait of that number, if it has not ended yet. Without a `Recovery` that closes the
    /// connection:
    /// libpq has no other way to cancel that does not block.
    func cancel(_ number: UInt64) {
        guard let waiter, waiter.number == number, !waiter.isAbandoned else { return }
        guard recovery != nil else { return close(.cancelled) }
        isAbandoned = true
        waiter.abandon()
        if case .listening = phase { stopListening() }
    }

    /// Takes calls again, those of the next task.
    func relend() { isAbandoned = false }

    func close(_ reason: PostgresError) {
        if case .closed = phase { return }
        let waiter = waiter
        phase = .closed(reason)
        unwatch()
        if let pointer { PQfinish(pointer) }
        pointer = nil
        notifications = []
        resume(waiter, .failure(reason))
        if let waiter, waiter.isAbandoned { recovery?.ended() }
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
        guard PQpipelineStatus(pointer) == PQ_PIPELINE_OFF, !waiter.isAbandoned else { return close(error) }
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
        disarm(waiter)
        guard let timeout = waiter.timeout else { return }
        waiter.timer = loop.schedule(after: timeout) { [weak self] in self?.expire(waiter.number) }
    }

    private func expire(_ number: UInt64) {
        guard let waiter, waiter.number == number else { return }
        if case .listening = phase { stopListening() } else { close(.timedOut) }
    }

    private func disarm(_ waiter: Waiter) {
        if let timer = waiter.timer { loop.cancel(timer) }
        waiter.timer = nil
    }

    private func resume(_ waiter: Waiter?, _ answer: Answer) {
        guard let waiter else { return }
        disarm(waiter)
        waiter.resume(answer)
    }

    /// The server takes the data of a COPY. If no task waits, it is refused all of them.
    private func beganCopy(_ waiter: Waiter) {
        phase = .copying
        if waiter.isAbandoned { return endCopy(abandoning: "the client has gone", waiter) }
        resume(waiter, .success([]))
    }

    /// Restores the session after a call that no task waits for.
    private func recover(after waiter: Waiter, hasFailed: Bool) {
        guard let recovery else { return }
        if hasFailed && waiter.isRestoring { close(.connectionLost("the session could not be restored")) }
        guard closeReason == nil, let script = recovery.script(hasFailed) else { return recovery.ended() }
        query(.statement, Waiter(restoringAfter: waiter, number: nextNumber())) { PQsendQuery($0, script) }
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
            if case .pushing(let waiter) = phase { beganCopy(waiter) }
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
        resume(waiter, exchange.answer)
        if waiter.isAbandoned { recover(after: waiter, hasFailed: exchange.error != nil) }
    }

    private func accept(_ result: ResultHandle, _ exchange: Exchange, _ waiter: Waiter) {
        var exchange = exchange
        switch result.status {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            if !waiter.isAbandoned { exchange.add(result) }
            phase = .querying(waiter, exchange)
        case PGRES_PIPELINE_SYNC:
            guard let pointer, PQexitPipelineMode(pointer) == 1 else { return lose() }
            finish(exchange, waiter)
        case PGRES_PIPELINE_ABORTED: break  // An earlier statement has failed; this one was not run.
        case PGRES_COPY_IN where exchange.form == .copy: beganCopy(waiter)
        case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
            close(.invalid("COPY is for copyIn, and only FROM STDIN"))
        default:
            exchange.fail(result)
            phase = .querying(waiter, exchange)
        }
    }

    /// Passes over what the server says beside its answers, but for why it ends the session.
    private func ignoreNotices(_ pointer: OpaquePointer) {
        // The channel outlives its connection.
        let channel = Unmanaged.passUnretained(self).toOpaque()
        PQsetNoticeReceiver(
            pointer,
            { channel, notice in
                let severity = PQresultErrorField(notice, CInt(UInt8(ascii: "V")))
                guard let channel, trimmedMessage(severity) == "FATAL" else { return }
                let message = trimmedMessage(PQresultErrorField(notice, CInt(UInt8(ascii: "M"))))
                Unmanaged<Channel>.fromOpaque(channel).takeUnretainedValue().farewell = message
            }, channel)
    }

    /// Closes a broken connection. The reason is the last error of the server, if it sent one.
    private func lose() {
        guard let pointer else { return }
        var reason = farewell ?? trimmedMessage(PQerrorMessage(pointer))
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
        if waiter.isAbandoned { recover(after: waiter, hasFailed: false) }
    }

    private func watch(_ events: EventSet) {
        guard let pointer else { return }
        do throws(SystemError) {
            try socket.set(events, of: PQsocket(pointer), on: loop, handler: self)
        } catch {
            close(.connectionLost("\(error)"))
        }
    }

    private func unwatch() { socket.end(on: loop) }
}
