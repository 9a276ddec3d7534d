import Glibc
import Logging
import Reactor

/// A run of `pg_dump` or `pg_restore`, whose progress is printed.
struct PostgresProgram: Sendable {
    /// The pause between two lines of progress.
    private static let interval = Duration.seconds(1)

    let command: ChildProcess.Command
    /// The text with which the program begins a table in its verbose messages.
    let marker: String
    /// The number of tables; nil if it is not known.
    let total: Int?
    /// The word for what is done to the tables, for the lines of progress.
    let verb: String

    /// Runs the program to its end. Throws `StartFailure` with its first complaint if it fails. The program
    /// is ended if the task is cancelled.
    ///
    /// Only the first line of an error is shown: those that follow may quote rows.
    func run() async throws {
        let child = try ChildProcess(command)
        let watching = Task { await watch(child) }
        let ending = await withTaskCancellationHandler {
            await child.ending()
        } onCancel: {
            child.signal(SIGTERM)
        }
        watching.cancel()
        await watching.value
        guard ending != .exited(0) else { return }
        try Task.checkCancellation()
        let lines = child.output(.standardError).split(separator: "\n")
        let complaint = lines.first { $0.contains("error:") } ?? lines.last ?? "it gave no reason"
        throw StartFailure(Log.escaped(String(complaint)))
    }

    private func watch(_ child: ChildProcess) async {
        var shown = 0
        while !Task.isCancelled {
            try? await ContinuousClock().sleep(for: Self.interval)
            let count = child.output(.standardError).split(separator: "\n").count { $0.contains(marker) }
            if count > shown {
                shown = count
                Self.say("\(verb) \(count)\(total.map { " of \($0)" } ?? "") tables")
            }
        }
    }

    /// Prints a line of progress. The work goes on if it cannot be written.
    static func say(_ line: String) { try? StandardStreams.line(line) }
}
