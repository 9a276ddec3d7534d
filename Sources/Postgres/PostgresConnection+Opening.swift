import Codecs
import Reactor

/// Connecting, and the first statements of a session.
extension PostgresConnection {
    /// The custom setting that each session gets first. A session that has it from its beginning is one that
    /// a pooler shares between clients, or has not reset.
    private static let mark = "letsswitch.session"

    static let sharedSessions = PostgresError.configuration(
        "The pooler of the database shares sessions between clients. It has to work per session (PgBouncer: "
            + "pool_mode=session, with its server_reset_query), since servers listen for changes, hold locks "
            + "and prepare statements.")

    func open(within timeout: Duration) async throws(PostgresError) {
        let end = Monotonic.nanoseconds() &+ timeout.clampedNanoseconds
        var failure = PostgresError.unavailable("no host to connect to")
        for target in try configuration.targets() {
            let addresses: [ConnectionTarget]
            do throws(PostgresError) {
                addresses = try await target.resolved(on: loop, timeout: Self.time(until: end))
            } catch {
                failure = error
                continue
            }
            for (index, address) in addresses.enumerated() {
                // The remaining time is divided among the addresses, so that a silent one does not use it up.
                let share = Self.time(until: end) / (addresses.count - index)
                do throws(PostgresError) {
                    return try await open(address, within: share)
                } catch .cancelled {
                    throw .cancelled
                } catch .configuration(let reason) {
                    throw .configuration(reason)
                } catch .timedOut {
                    failure = .unavailable("no answer in time")
                } catch {
                    failure = error
                }
            }
        }
        // libpq does not give the reason for which it has no socket.
        DescriptorBudget.process.probe()
        throw failure
    }

    /// Connects to one address, and prepares the session. If that fails, the connection is closed.
    private func open(_ address: ConnectionTarget, within timeout: Duration) async throws(PostgresError) {
        let end = Monotonic.nanoseconds() &+ timeout.clampedNanoseconds
        let channel = channel
        do throws(PostgresError) {
            _ = try await exchange(timeout: timeout) { [configuration] _, waiter in
                channel.connect(configuration.parameters(for: address), waiter)
            }
            try await prepareSession(until: end)
        } catch {
            close(for: error)
            throw error
        }
    }

    /// Makes the settings of the session. They are no parameters of the connection, which PgBouncer refuses,
    /// and so hold behind a pooler too, if that works per session.
    private func prepareSession(until end: UInt64) async throws(PostgresError) {
        let settings = configuration.settingsOfSession().pairs
        let calls = stride(from: 1, to: settings.count, by: 2).map { "set_config($\($0), $\($0 + 1), false)" }
        let first = try await ask(
            """
            SELECT pg_backend_pid(), coalesce(current_setting('\(Self.mark)', true), ''),
                current_setting('transaction_read_only') = 'off',
                \((["set_config('\(Self.mark)', 'open', false)"] + calls).joined(separator: ", "))
            """, settings, until: end)
        let (processID, mark, takesWrites) = try first.decode(Int32.self, String.self, Bool.self)
        guard mark.isEmpty else { throw Self.sharedSessions }
        session = ServerSession(processID: processID, takesWrites: takesWrites)
        guard isPooled else { return }
        let second = try await ask(
            "SELECT pg_backend_pid(), coalesce(current_setting('\(Self.mark)', true), '')", [], until: end)
        guard try second.decode(Int32.self, String.self) == (processID, "open") else {
            throw Self.sharedSessions
        }
    }

    /// Returns whether the server lets the session write. A standby and a database that is set to read only
    /// do not.
    package func mayWrite() async throws(PostgresError) -> Bool {
        let rows = try await query("SELECT current_setting('transaction_read_only') = 'off'")
        guard let row = rows.first else { throw .decoding("no answer") }
        let mayWrite = try row.decode(0, Bool.self)
        if !mayWrite { session.refusedWrite() }
        return mayWrite
    }

    private func ask(
        _ sql: String, _ parameters: [String], until end: UInt64
    ) async throws(PostgresError) -> PostgresRow {
        let encoded = try EncodedParameters(parameters)
        let results = try await exchange(timeout: Self.time(until: end)) { channel, waiter in
            channel.query(.statement, waiter) { Self.send($0, "", sql, encoded) }
        }
        guard let rows = results.last.map({ PostgresRows(result: $0) }), let row = rows.first else {
            throw .decoding("no answer to the first statement")
        }
        return row
    }

    private static func time(until end: UInt64) -> Duration {
        let now = Monotonic.nanoseconds()
        return .nanoseconds(now < end ? Int64(end - now) : 0)
    }
}
