import CLinux
import Codecs
import Glibc
import Reactor

/// The folders of a private cluster's data and socket.
///
/// Usually both are `DATA_DIR/cluster`. If PostgreSQL's user cannot reach it, both move; if the path is too
/// long for a socket, or PostgreSQL could not read it in a list, only the socket moves, since data in the
/// temp folder would not survive a reboot. Both names are derived from DATA_DIR, so the next start finds them
/// again.
struct ClusterPlace: Equatable, Sendable {
    /// The longest path of a socket. The address has 108 bytes, into which PostgreSQL also has to fit the
    /// name of its lock file.
    static let socketPathLimit = 100

    package let folder: String
    let socketFolder: String

    package var data: String { "\(folder)/data" }
    /// The folder of data that are being created. It is renamed when complete, so that a start that is cut
    /// off leaves no partial data.
    var newData: String { "\(folder)/data.new" }

    package static func choose(for dataDirectory: String, account: ClusterAccount) async throws(ClusterError)
        -> Self
    {
        let name = name(for: dataDirectory)
        let here = "\(dataDirectory)/cluster"
        let elsewhere = "/var/lib/\(name)"
        var folder = here
        if hasMoved(dataDirectory) {
            folder = elsewhere
            try account.claim(folder)
        } else {
            try account.claim(here)
            if await !account.canUse(here) {
                // The folder is empty, unless it has data that cannot be used, which is an error.
                guard rmdir(here) == 0 else {
                    throw .unusable(path: here, reason: "PostgreSQL's user cannot reach it")
                }
                folder = elsewhere
                try account.claim(folder)
            }
        }
        var socketFolder = folder
        if !fitsSocket(folder) {
            socketFolder = "/tmp/\(name)-\(account.userID)"
            try account.claim(socketFolder)
        }
        return ClusterPlace(folder: folder, socketFolder: socketFolder)
    }

    /// Returns the folder of existing data, without making or claiming anything: root may look at a cluster
    /// that another user's server has.
    static func data(of dataDirectory: String) -> String {
        let folder =
            hasMoved(dataDirectory) ? "/var/lib/\(name(for: dataDirectory))" : "\(dataDirectory)/cluster"
        return "\(folder)/data"
    }

    /// Returns a name that is the same at every start. Its hash need not be secret.
    private static func name(for dataDirectory: String) -> String {
        "letsswitch-\(FNV1a(dataDirectory.utf8).hexadecimal)"
    }

    private static func hasMoved(_ dataDirectory: String) -> Bool {
        access("/var/lib/\(name(for: dataDirectory))/data/PG_VERSION", F_OK) == 0
    }

    /// Returns the note for the operator if a folder has moved; nil if none has.
    package func note(dataDirectory: String) -> String? {
        if !folder.hasPrefix(dataDirectory + "/") {
            return "PostgreSQL's user cannot reach DATA_DIR: the private database is elsewhere"
        }
        return socketFolder == folder
            ? nil : "the path of DATA_DIR does not suit a socket: the socket is elsewhere"
    }

    static func socketPath(in folder: String) -> String { "\(folder)/.s.PGSQL.5432" }

    private static func fitsSocket(_ folder: String) -> Bool {
        // libpq and PostgreSQL read lists of folders, separated by commas and with quotes.
        socketPath(in: folder).utf8.count <= socketPathLimit && !folder.contains { $0 == "," || $0 == "\"" }
    }
}
