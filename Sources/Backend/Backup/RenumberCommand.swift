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
            let running = try await ServerDirectory.running(on: connection)
            if let first = running.first {
                throw StartFailure(
                    "A server is running, or ended a moment ago (\(first)): stop all servers first.")
            }
            return try await IdentifierJump.make(on: connection)
        }
        print("Notifications are numbered from \(next) on.")
    }
}
