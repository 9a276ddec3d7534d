import Glibc
import Logging
import PrivatePostgres
import Reactor

/// A run of `pg_dump` or `pg_restore`, whose messages are printed as progress.
enum PostgresProgram {
    /// The pause between two lines of progress.
    private static let interval = Duration.seconds(1)

    /// Runs the program to its end, and returns its output. Throws `StartFailure` with its first complaint if
    /// it fails. The program is ended if the task is cancelled.
    ///
    /// Only the first line of an error is shown: those that follow may quote rows.
    @discardableResult
    static func run(
        _ program: String, _ arguments: [String], _ connection: [String: String] = [:]
    ) async throws -> String {
        let child = try ChildProcess(ClientPrograms.command(program, arguments, connection))
        let watching = Task { await watch(child) }
        let ending = await withTaskCancellationHandler {
            await child.ending()
        } onCancel: {
            child.signal(SIGTERM)
        }
        watching.cancel()
        await watching.value
        guard ending != .exited(0) else { return child.output() }
        try Task.checkCancellation()
        let lines = child.output(.standardError).split(separator: "\n")
        let complaint = lines.first { $0.contains("error:") } ?? lines.last ?? "it gave no reason"
        throw StartFailure(Log.escaped(String(complaint)))
    }

    /// Prints the newest message of the program (`--verbose`) once a second, until the task is cancelled.
    private static func watch(_ child: ChildProcess) async {
        var shown: Substring?
        while (try? await ContinuousClock().sleep(for: interval)) != nil {
            let newest = child.output(.standardError).split(separator: "\n").last {
                $0.hasPrefix("pg_") && !$0.contains("error:")
            }
            guard let newest, newest != shown else { continue }
            shown = newest
            say(Log.escaped(String(newest)))
        }
    }

    /// Prints a line of progress. The work goes on if it cannot be written.
    static func say(_ line: String) { try? StandardStreams.line(line) }
}
