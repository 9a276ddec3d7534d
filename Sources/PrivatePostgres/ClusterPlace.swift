import CLinux
import Codecs
import Glibc
import Reactor

/// Where a private cluster keeps its data and its socket.
///
/// Usually that is one folder, `DATA_DIR/cluster`. Where PostgreSQL's user cannot get there, all of it moves;
/// where the path is too long for a socket, or PostgreSQL could not read it in a list, the socket alone
/// moves, since data in the temp folder would not outlive the machine's next start. Both names follow from
/// DATA_DIR, so the next start finds them again.
struct ClusterPlace: Equatable, Sendable {
    /// A socket's address has 108 bytes; PostgreSQL puts its lock file's name in the same room.
    static let socketPathLimit = 100

    package let folder: String
    let socketFolder: String

    package var data: String { "\(folder)/data" }
    /// Data in the making: renamed when it is complete, so that a start that is cut off leaves nothing half
    /// done.
    var newData: String { "\(folder)/data.new" }

    package static func choose(for dataDirectory: String, account: ClusterAccount) async throws(ClusterError)
        -> Self
    {
        let name = "letsswitch-\(hash(of: dataDirectory))"
        let here = "\(dataDirectory)/cluster"
        let elsewhere = "/var/lib/\(name)"
        var folder = here
        if access("\(elsewhere)/data/PG_VERSION", F_OK) == 0 {
            folder = elsewhere
            try account.claim(folder)
        } else {
            try account.claim(here)
            if await !account.canUse(here) {
                // Empty, unless data are there that cannot be used: then the failure is the right answer.
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

    /// What the operator is told where something has moved.
    package func note(dataDirectory: String) -> String? {
        if !folder.hasPrefix(dataDirectory + "/") {
            return "PostgreSQL's user cannot reach DATA_DIR: the private database is elsewhere"
        }
        return socketFolder == folder
            ? nil : "the path of DATA_DIR does not suit a socket: the socket is elsewhere"
    }

    static func socketPath(in folder: String) -> String { "\(folder)/.s.PGSQL.5432" }

    private static func fitsSocket(_ folder: String) -> Bool {
        // libpq and PostgreSQL read lists of folders, with commas between and quotes around.
        socketPath(in: folder).utf8.count <= socketPathLimit && !folder.contains { $0 == "," || $0 == "\"" }
    }

    /// FNV-1a: the same at every start, and nobody's secret.
    private static func hash(of path: String) -> String {
        FNV1a(path.utf8).hexadecimal
    }
}
