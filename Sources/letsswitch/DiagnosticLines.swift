import Client
import Contract

/// The diagnostics of a connection for `--diagnostics`, as lines of JSON on standard error.
enum DiagnosticLines {
    private struct Counters: Encodable {
        let event = "counters"
        let counters: ConnectionCounters
    }

    /// Starts a task that writes diagnostics, to be called before the connection is started; the task ends
    /// with the connection. The last line has the counters. To have that line written, the caller waits for
    /// the task once the connection is stopped. Nil: diagnostics were not asked for.
    static func follow(_ connection: RoomConnection, _ invocation: Invocation) -> Task<Void, Never>? {
        guard invocation.arguments.has("diagnostics") else { return nil }
        let diagnostics = connection.diagnostics
        let console = invocation.console
        return Task(executorPreference: invocation.loop) {
            for await diagnostic in diagnostics { console.diagnostic(diagnostic) }
            console.diagnostic(Counters(counters: await connection.counters))
        }
    }
}
