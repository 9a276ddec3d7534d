import Client
import Contract

/// With `--diagnostics`: what happens to a connection, as lines of JSON on standard error.
enum DiagnosticLines {
    private struct Counters: Encodable {
        let event = "counters"
        let counters: ConnectionCounters
    }

    /// Begins before the connection is started, and ends with it. The last line has the counters.
    ///
    /// It is a task of its own, so that every command that connects can ask for it in one line; it holds
    /// nothing that has to be given back.
    static func follow(_ connection: RoomConnection, _ invocation: Invocation) {
        guard invocation.arguments.has("diagnostics") else { return }
        let diagnostics = connection.diagnostics
        let console = invocation.console
        Task(executorPreference: invocation.loop) {
            for await diagnostic in diagnostics { console.diagnostic(diagnostic) }
            console.diagnostic(Counters(counters: await connection.counters))
        }
    }
}
