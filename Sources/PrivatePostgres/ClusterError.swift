package import Reactor

/// An error that keeps the private cluster from running: one line each, for the operator.
package enum ClusterError: Error, Equatable, CustomStringConvertible {
    /// Another server uses the folder.
    case inUse(dataDirectory: String, processID: String)
    case unusable(path: String, reason: String)
    /// The folder belongs to neither us nor PostgreSQL's user.
    case foreign(path: String)
    case noPrograms
    /// No `pg_dump` and `pg_restore` serve a PostgreSQL of the major version.
    case noClientPrograms(major: Int, newest: Int?, found: [Int])
    /// PostgreSQL refuses to run as root, and there is no other user to run it.
    case noAccount(String)
    case versionMismatch(folder: String, made: String, installed: String)
    case unreadablePostmasterFile(String)
    case initialisationFailed(String)
    case didNotStart(reason: String, log: String)
    /// The task that waited for the start was cancelled.
    case cancelled
    case system(SystemError)

    package var description: String {
        switch self {
        case .inUse(let dataDirectory, let processID):
            "another server (process \(processID)) uses DATA_DIR=\(dataDirectory): stop it, "
                + "or give this one a DATA_DIR of its own."
        case .unusable(let path, let reason):
            "DATA_DIR: \(path) cannot be used: \(reason)."
        case .foreign(let path):
            "DATA_DIR: \(path) belongs to another user: start the server as that user, "
                + "or choose another DATA_DIR."
        case .noPrograms:
            "no initdb and postgres found: apt-get install postgresql, or set DATABASE_URL."
        case .noClientPrograms(let major, let newest, let found):
            "no pg_dump and pg_restore of PostgreSQL \(major)"
                + (newest.map { $0 == major ? "" : " to \($0)" } ?? " or newer") + " found"
                + (found.isEmpty ? "" : " (found: \(found.map(String.init).joined(separator: ", ")))")
                + ": apt-get install postgresql-client-\(major)."
        case .noAccount(let reason):
            "PostgreSQL does not run as root, and \(reason): start the server as another user, "
                + "or set DATABASE_URL."
        case .versionMismatch(let folder, let made, let installed):
            "\(folder) was made by PostgreSQL \(made), and \(installed) is installed: "
                + "apt-get install postgresql-\(made), or choose another DATA_DIR."
        case .unreadablePostmasterFile(let path):
            "\(path) is no process file of PostgreSQL's: remove it if no PostgreSQL runs there."
        case .initialisationFailed(let reason):
            "the private database could not be made: \(reason)"
        case .didNotStart(let reason, let log):
            "the private database did not start: \(reason) (see \(log))"
        case .cancelled:
            "the start of the private database was stopped"
        case .system(let error):
            "the private database: \(error)"
        }
    }
}
