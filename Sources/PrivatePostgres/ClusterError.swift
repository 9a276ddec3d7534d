package import Reactor

/// An error that keeps the private cluster from running: one line each, for the operator.
package enum ClusterError: Error, Equatable, CustomStringConvertible {
    /// Another server uses the folder.
    case inUse(dataDirectory: String, processID: String)
    case unusable(path: String, reason: String)
    /// The folder belongs to neither us nor PostgreSQL's user.
    case foreign(path: String)
    case noPrograms
    /// PostgreSQL refuses to run as root, and there is no other user to run it.
    case noAccount(String)
    case versionMismatch(folder: String, made: String, installed: String)
    case unreadablePostmasterFile(String)
    case initialisationFailed(String)
    case didNotStart(reason: String, log: String)
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
        case .system(let error):
            "the private database: \(error)"
        }
    }
}
