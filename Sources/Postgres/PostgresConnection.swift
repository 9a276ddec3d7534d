import CPostgres
package import Reactor
import Tracing

/// One connection to PostgreSQL, which runs one statement at a time and belongs to a loop.
///
/// The caller that opened it must close it. Cancelling a task that waits for a statement closes the
/// connection too, since libpq has no other way to stop a statement that does not block; but not a connection
/// of a pool (`outliveCallers`).
package actor PostgresConnection {
    package nonisolated let loop: EventLoop
    package nonisolated let configuration: PostgresConfiguration
    let channel: Channel
    private var statements = PreparedStatements()
    private var statementTimeout: Duration
    /// The process of the server that runs this session, and whether it takes writes.
    var session = ServerSession()
    /// The BEGIN of a transaction that has not run a statement yet. It is sent with the first one.
    var unsentBegin: String?
    #if DEBUG
        var hook = PostgresConnection.makeHook.withLock { $0?() }
    #endif

    /// A statement of a pipeline; its parameters are `$1`, `$2`, …
    package typealias PipelinedStatement = (sql: String, parameters: [any PostgresEncodable])

    /// The time that this side waits longer than the server for a statement to time out.
    private static let grace = Duration.seconds(1)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(_ configuration: PostgresConfiguration, on loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        statementTimeout = configuration.statementTimeout
        channel = Channel(on: loop)
    }

    isolated deinit { channel.close(.connectionLost("released by its last user")) }

    /// Connects to the first host and address that answers. Throws `.unavailable` if none does in time.
    package static func connect(
        _ configuration: PostgresConfiguration, on loop: EventLoop, timeout: Duration? = nil
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection(configuration, on: loop)
        try await connection.open(within: timeout ?? configuration.connectTimeout)
        return connection
    }

    /// Runs one statement. It is prepared at its first use, if the configuration keeps as many. Its
    /// parameters are `$1`, `$2`, …
    @discardableResult
    package func query(
        _ sql: String, _ parameters: [any PostgresEncodable] = []
    ) async throws(PostgresError) -> PostgresRows {
        let encoded = try EncodedParameters(parameters)
        guard let result = try await run(Statement(text: sql, kind: .prepared(encoded))).last else {
            throw .invalid("the statement is empty")
        }
        return PostgresRows(result: result)
    }

    /// Runs statements, in their order, in one round trip (libpq's pipeline mode), and returns the rows of
    /// each.
    ///
    /// The first that fails is the error; those after it are not run. Outside a transaction they form one of
    /// their own.
    package func pipeline(
        _ statements: [PipelinedStatement]
    ) async throws(PostgresError) -> [PostgresRows] {
        var parts: [(sql: String, parameters: EncodedParameters)] = []
        for statement in statements {
            parts.append((statement.sql, try EncodedParameters(statement.parameters)))
        }
        if parts.isEmpty { return [] }
        // The first result may be that of a BEGIN.
        let results = try await run(Statement(pipeline: parts)).suffix(parts.count)
        guard results.count == parts.count else { throw .invalid("a statement without a result") }
        return results.map { PostgresRows(result: $0) }
    }

    /// Runs one statement, and returns the number of rows that it affected.
    @discardableResult
    package func execute(
        _ sql: String, _ parameters: [any PostgresEncodable] = []
    ) async throws(PostgresError) -> Int {
        try await query(sql, parameters).affected
    }

    /// Runs one or more statements without parameters, as one transaction unless they say otherwise.
    package func simple(_ script: String) async throws(PostgresError) {
        _ = try await send(script)
    }

    /// Closes the connection at once; a statement under way fails with `.connectionLost`.
    package func close() { close(for: .connectionLost("closed")) }

    func close(for reason: PostgresError) { channel.close(reason) }

    /// The reason why the connection is closed; nil while it is open.
    package var closeReason: PostgresError? { channel.closeReason }

    package var isOpen: Bool { channel.closeReason == nil }

    /// The process id of the server for this session, as notifications name it.
    package var processID: Int32 { session.processID }

    /// Whether a pooler, such as PgBouncer, is between this connection and the server.
    package var isPooled: Bool { isOpen && channel.processID != session.processID }

    /// Whether the connection is open and nothing is under way, not even a transaction, and the session may
    /// write.
    var isReusable: Bool {
        channel.isIdle && channel.isOutsideTransaction && unsentBegin == nil && session.takesWrites
    }

    var isOutsideTransaction: Bool { channel.isOutsideTransaction }

    /// Whether the caller was cancelled during a call. The connection refuses further calls of that caller.
    var isAbandoned: Bool { channel.isAbandoned }

    /// Whether a call that a cancelled caller left behind is under way, or the session is being restored.
    var isRecovering: Bool { isOpen && isAbandoned && !channel.isIdle }

    /// Keeps the connection open when its caller is cancelled: a statement that was sent runs to its end or
    /// time-out, its rows are discarded, and its transaction is rolled back. `ended` is called after that, or
    /// when the connection is closed meanwhile.
    func outliveCallers(_ ended: @escaping @Sendable () -> Void) {
        channel.recovery = Recovery(
            script: { [weak self] hasFailed in
                self?.assumeIsolated { $0.restoration(hasFailed: hasFailed) }
            }, ended: ended)
    }

    /// Takes calls of the next caller.
    func relend() { channel.relend() }

    /// Returns the script that restores the session after a call that a cancelled caller left behind.
    private func restoration(hasFailed: Bool) -> String? {
        statements.end(hasFailed: hasFailed)
        var script: [String] = []
        if !channel.isOutsideTransaction { script.append("ROLLBACK") }
        if statementTimeout != configuration.statementTimeout {
            statementTimeout = configuration.statementTimeout
            script.append("SET statement_timeout = \(statementTimeout.wholeMilliseconds)")
        }
        return script.isEmpty ? nil : script.joined(separator: "; ")
    }

    /// Sends a script, and returns its last result. A shielded script runs even if its task is cancelled.
    func send(_ script: String, shielded: Bool = false) async throws(PostgresError) -> ResultHandle? {
        try await run(Statement(text: script, kind: .script(isShielded: shielded))).last
    }

    /// Sets the statement timeout, at the server and here, until it is changed again.
    func setStatementTimeout(_ timeout: Duration) async throws(PostgresError) {
        _ = try await send("SET statement_timeout = \(timeout.wholeMilliseconds)", shielded: true)
        statementTimeout = timeout
    }

    func beginCopy(_ sql: String) async throws(PostgresError) {
        _ = try await run(Statement(text: sql, kind: .copy))
        if channel.isIdle { throw .invalid("not a COPY … FROM STDIN") }
    }

    func pushCopy(_ piece: [UInt8]) async throws(PostgresError) {
        _ = try await exchange { channel, waiter in channel.push(piece, waiter) }
    }

    /// Ends a COPY, and returns the number of rows that were copied.
    func endCopy() async throws(PostgresError) -> Int {
        try await run(.endOfCopy).last?.affected ?? 0
    }

    func abandonCopy() async {
        guard channel.isCopying else { return }
        _ = try? await exchange(shielded: true) { channel, waiter in
            channel.endCopy(abandoning: "abandoned by the client", waiter)
        }
    }

    /// Waits for notifications until the time is over, and returns those that have come, perhaps none.
    func notifications(within timeout: Duration) async throws(PostgresError) -> [PostgresNotification] {
        _ = try await exchange(timeout: timeout) { channel, waiter in channel.listen(waiter) }
        return channel.takeNotifications()
    }

    /// Runs a statement, all of which pass here but BEGIN, and tells the trace of the current task of it.
    private func run(_ statement: Statement) async throws(PostgresError) -> [ResultHandle] {
        guard let span = Span.child(statement.operation, .client, statement.attributes) else {
            return try await runUntraced(statement)
        }
        do throws(PostgresError) {
            let result = try await runUntraced(statement)
            span.end()
            return result
        } catch {
            span.end(fault: error.sqlState?.rawValue ?? "no answer")
            throw error
        }
    }

    /// Runs a statement; in a debug build the hook may have another step taken.
    private func runUntraced(_ statement: Statement) async throws(PostgresError) -> [ResultHandle] {
        let isFirst = unsentBegin != nil
        do throws(PostgresError) {
            #if DEBUG
                if hook != nil { return try await runHooked(statement) }
            #endif
            return try await perform(statement)
        } catch {
            if error.sqlState == .readOnlyTransaction { session.refusedWrite() }
            if error.sqlState == .diskFull { WriteCheck.ranOutOfSpace() }
            // A script that cannot be parsed does not run the BEGIN before it either. What the body of the
            // transaction goes on with would be committed by itself. After a cancelled call the session may
            // be restored already, which has rolled the transaction back.
            if isFirst, unsentBegin == nil, isOpen, !isAbandoned, isOutsideTransaction {
                close(for: .connectionLost("the transaction has not begun"))
            }
            throw error
        }
    }

    #if DEBUG
        /// Runs what the hook has instead of a statement. The hook is asked for BEGIN and for each statement
        /// of a pipeline, so that each is sent by itself.
        private func runHooked(_ statement: Statement) async throws(PostgresError) -> [ResultHandle] {
            if let begin = unsentBegin {
                unsentBegin = nil
                _ = try await runHooked(Statement(text: begin, kind: .script(isShielded: false)))
            }
            if case .pipeline(let parts) = statement.kind {
                var results: [ResultHandle] = []
                for part in parts {
                    results += try await runHooked(
                        Statement(text: part.sql, kind: .prepared(part.parameters)))
                }
                return results
            }
            guard isOpen, let step = hook?.step(before: statement.text) else {
                return try await perform(statement)
            }
            return try await take(step, inPlaceOf: statement)
        }
    #endif

    /// Sends a statement or a pipeline, with the BEGIN before it if that is not sent yet. Its own results are
    /// the last ones.
    func perform(_ statement: Statement) async throws(PostgresError) -> [ResultHandle] {
        switch statement.kind {
        case .prepared(let parameters):
            return try await perform([(statement.text, parameters)])
        case .pipeline(let parts):
            return try await perform(parts)
        case .script(let isShielded):
            return try await script(statement.text, .statement, shielded: isShielded)
        case .copy:
            return try await script(statement.text, .copy, shielded: false)
        case .endOfCopy:
            return try await exchange { channel, waiter in channel.endCopy(abandoning: nil, waiter) }
        }
    }

    private func script(
        _ text: String, _ form: Exchange.Form, shielded: Bool
    ) async throws(PostgresError) -> [ResultHandle] {
        try await exchange(shielded: shielded) { channel, waiter in
            let begin = takeBegin().map { $0 + "; " } ?? ""
            channel.query(form, waiter) { PQsendQuery($0, begin + text) }
        }
    }

    /// Returns the BEGIN that is not sent yet, for the caller to send.
    private func takeBegin() -> String? {
        defer { unsentBegin = nil }
        return unsentBegin
    }

    private func perform(
        _ parts: [(sql: String, parameters: EncodedParameters)]
    ) async throws(PostgresError) -> [ResultHandle] {
        let keys = parts.map { PreparedStatements.Key(sql: $0.sql, types: $0.parameters.types) }
        // A statement that cannot be prepared fails its transaction, which has to have begun for that.
        if unsentBegin != nil, !keys.allSatisfy({ statements[$0] != nil }) {
            _ = try await script("", .statement, shielded: false)
        }
        var names: [String] = []
        for key in keys { names.append(try await prepare(key)) }
        do throws(PostgresError) {
            return try await exchange(statements: parts.count) { channel, waiter in
                let begin = takeBegin()
                let isPipeline = begin != nil || parts.count > 1
                channel.query(isPipeline ? .pipeline : .statement, waiter) { pointer in
                    if let begin, PQsendQueryParams(pointer, begin, 0, nil, nil, nil, nil, 1) != 1 {
                        return 0
                    }
                    for (name, part) in zip(names, parts)
                    where Self.send(pointer, name, part.sql, part.parameters) != 1 { return 0 }
                    return 1
                }
            }
        } catch {
            // A prepared statement is gone, or its columns have changed: all are prepared again next time.
            if error.sqlState == .invalidStatementName || error.sqlState == .featureNotSupported {
                statements.forget(keys)
            }
            throw error
        }
    }

    /// Returns the name of the prepared statement, which is empty if it is not to be kept, or too many are.
    private func prepare(_ key: PreparedStatements.Key) async throws(PostgresError) -> String {
        if let name = statements[key] { return name }
        guard statements.count < configuration.maximumPreparedStatements,
            configuration.preparedStatements?.contains(key.sql) ?? true
        else { return "" }
        var name = ""
        do throws(PostgresError) {
            _ = try await exchange { channel, waiter in
                name = statements.begin(key)
                channel.query(.statement, waiter) {
                    PQsendPrepare($0, name, key.sql, CInt(key.types.count), key.types)
                }
            }
        } catch {
            // The answer that a cancelled caller does not wait for is still to come.
            if error != .cancelled { statements.end(hasFailed: true) }
            throw error
        }
        statements.end(hasFailed: false)
        return name
    }

    static func send(
        _ pointer: OpaquePointer, _ name: String, _ sql: String, _ parameters: EncodedParameters
    ) -> CInt {
        parameters.withPointers { count, values, lengths, formats in
            if name.isEmpty {
                PQsendQueryParams(pointer, sql, count, parameters.types, values, lengths, formats, 1)
            } else {
                PQsendQueryPrepared(pointer, name, count, values, lengths, formats, 1)
            }
        }
    }

    /// Starts a call on the channel, and returns its answer.
    func exchange(
        timeout: Duration? = nil, statements: Int = 1, shielded: Bool = false,
        _ start: (Channel, Waiter) -> Void
    ) async throws(PostgresError) -> [ResultHandle] {
        if isAbandoned || !shielded && Task.isCancelled { throw .cancelled }
        let number = channel.nextNumber()
        let timeout = timeout ?? statementTimeout * statements + Self.grace
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Channel.Answer, Never>) in
                start(channel, Waiter(number: number, timeout: timeout, continuation: continuation))
            }
        } onCancel: {
            // This runs after the start, since the loop runs its jobs in order.
            if !shielded { loop.execute { self.assumeIsolated { $0.channel.cancel(number) } } }
        }
        return try answer.get()
    }
}
