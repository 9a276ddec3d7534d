import Database
import Logging
import Postgres
import Reactor
import Settings

/// `letsswitch-server verify`, which checks all promises that rows can show. It reads one snapshot and writes
/// nothing; servers may be running meanwhile.
struct VerifyCommand: Sendable {
    let configuration: ServerConfiguration

    /// Prints the report; returns false if a promise is broken.
    func run() async throws -> Bool {
        try await OpenedDatabase.with(configuration, .read, "verify") { _, connection in
            try await verify(on: connection)
        }
    }

    private func verify(on connection: PostgresConnection) async throws -> Bool {
        let report = try await PromiseReport.make(on: connection) { line in
            for text in Self.lines(line) { PostgresProgram.say(text) }
        }
        let broken = report.broken.count
        PostgresProgram.say(
            broken == 0
                ? "All \(report.lines.count) promises hold."
                : "\(broken) of \(report.lines.count) promises are broken.")
        return broken == 0
    }

    static func lines(_ line: PromiseReport.Line) -> [String] {
        if line.count == 0 { return ["holds   \(line.name): \(line.text)"] }
        let more = line.count > Int64(line.examples.count) ? ", …" : ""
        return [
            "BROKEN  \(line.name): \(line.text)",
            "        \(line.count) times: "
                + Log.escaped(line.examples.joined(separator: ", ") + more),
        ]
    }
}
