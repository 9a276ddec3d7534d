import Contract

/// The file `manifest.json` of a backup, which is written last: a folder without it is no backup.
struct BackupManifest: Codable, Equatable, Sendable {
    static let name = "manifest.json"
    /// The layout of the folder that this program writes and reads.
    static let currentFormat = 1
    /// The number of bytes beyond which a file is no manifest.
    static let limit = 4 << 20

    /// A file of the backup, in the folder `data`.
    struct File: Codable, Equatable, Sendable {
        let name: String
        let bytes: Int64
        /// The SHA-256 digest, in hexadecimal digits.
        let sha256: String
    }

    /// The snapshot that the backup shows: all that was committed before it was taken, and nothing else.
    struct Snapshot: Codable, Equatable, Sendable {
        /// An instant just before the snapshot was taken, by the clock of the database: what was committed
        /// before it is in the backup.
        let takenAt: String
        /// PostgreSQL's name for the transactions that are in it (`pg_current_snapshot`).
        let transactions: String
        /// The position of the write-ahead log just after it was taken.
        let walPosition: String
    }

    var format = Self.currentFormat
    /// The version of this program.
    var server = Version.product
    /// The version of the schema.
    let schema: Int
    /// The version of the PostgreSQL that the data come from.
    let postgresql: String
    let snapshot: Snapshot
    let files: [File]

    /// The number of bytes of all files.
    var bytes: Int64 { files.reduce(0) { $0 + $1.bytes } }

    /// Reads the text of a manifest. Throws `StartFailure` if it is none, or one of a layout that this
    /// program does not know.
    static func read(_ text: [UInt8]) throws -> BackupManifest {
        guard let format = (try? JSONValue.parse(text))?["format"]?.int else {
            throw StartFailure("\(name) is no manifest of a backup.")
        }
        guard format == currentFormat else {
            throw StartFailure(
                "The backup has layout \(format), and this program knows \(currentFormat): "
                    + "use a newer program."
            )
        }
        do {
            return try JSON.decode(BackupManifest.self, from: text)
        } catch {
            throw StartFailure("\(name) is damaged: \(error)")
        }
    }
}
