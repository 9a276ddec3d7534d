import Client
import Contract

/// With `--diagnostics`: what happens to a connection, as lines of JSON on standard error.
enum DiagnosticLines {
    private struct Counters: Encodable {
        let event = "counters"
        let counters: ConnectionCounters
    }

    /// Begins before the connection is started, and ends with it. The last line has the counters. Who wants
    /// to see it waits for the task, once the connection is stopped; nil: nobody asked.
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
