import Contract
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
            for text in Self.lines(line) { try StandardStreams.line(text) }
        }
        let broken = report.broken.count
        try StandardStreams.line(
            broken == 0
                ? "All \(counted(report.lines.count, "promise")) hold."
                : "\(broken) of \(counted(report.lines.count, "promise")) "
                    + "\(broken == 1 ? "is" : "are") broken."
        )
        return broken == 0
    }

    static func lines(_ line: PromiseReport.Line) -> [String] {
        if line.count == 0 { return ["holds   \(line.name): \(line.text)"] }
        let more = line.count > Int64(line.examples.count) ? ", …" : ""
        return [
            "BROKEN  \(line.name): \(line.text)",
            "        \(counted(line.count, "time")): "
                + Log.escaped(line.examples.joined(separator: ", ") + more),
        ]
    }
}
