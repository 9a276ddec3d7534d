import Database
import Postgres
import Reactor
import Settings

/// `letsswitch-server renumber`, for a database that was brought back to an earlier state by other means than
/// `restore`: ids go on beyond all those that were given out since. No server may be running.
struct RenumberCommand: Sendable {
    let configuration: ServerConfiguration

    func run() async throws {
        let next = try await OpenedDatabase.with(configuration, .read, "renumber") { _, connection in
            if try await DatabaseContents.isInRecovery(on: connection) {
                throw StartFailure(
                    "The database is still in recovery: wait until pg_is_in_recovery() is false.")
            }
            // Right after a restore the lease of a server that ran at that point in time may not be past.
            let end = ContinuousClock.now + ServerDirectory.lease + .seconds(1)
            while case let running = try await ServerDirectory.running(on: connection), !running.isEmpty {
                if ContinuousClock.now > end {
                    throw StartFailure(
                        "Stop all servers first. Still running: \(running.joined(separator: ", ")).")
                }
                try await ContinuousClock().sleep(for: .milliseconds(200))
            }
            return try await IdentifierJump.make(on: connection)
        }
        try StandardStreams.line("Notifications are numbered from \(next) on.")
    }
}
