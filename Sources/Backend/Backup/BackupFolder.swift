import CLinux
import Codecs
import Contract
import Crypto
import Glibc
import Reactor

/// The folder of a backup: `data`, as `pg_dump` writes it in its directory format, and the manifest.
///
/// Its functions block, and are called on a thread of their own.
struct BackupFolder: Sendable {
    /// The most files of a backup: a table has one.
    private static let mostFiles = 10_000
    private static let pieceBytes = 1 << 20

    let path: String

    var data: String { "\(path)/data" }
    private var manifestPath: String { "\(path)/\(BackupManifest.name)" }

    /// Creates the folder, open to nobody else. It may be there already, if it is empty.
    static func make(_ path: String) throws -> BackupFolder {
        let folder = BackupFolder(path: path)
        if mkdir(path, 0o700) != 0 {
            guard errno == EEXIST else { throw StartFailure(folder.fault("cannot be made", errno)) }
            guard try folder.names(in: path).isEmpty else {
                throw StartFailure("\(path) is not empty: name a new folder for the backup.")
            }
            guard chmod(path, 0o700) == 0 else { throw StartFailure(folder.fault("cannot be closed", errno)) }
        }
        guard mkdir(folder.data, 0o700) == 0 else {
            throw StartFailure(folder.fault("cannot be written", errno))
        }
        return folder
    }

    /// Removes what an unfinished backup has left, and the folder itself.
    func discard() {
        for name in (try? names(in: data)) ?? [] { unlink("\(data)/\(name)") }
        rmdir(data)
        unlink("\(manifestPath).new")
        rmdir(path)
    }

    /// Syncs the files of `data` to the disk, closes them to others, and returns their sizes and digests.
    func seal() throws -> [BackupManifest.File] {
        let files = try names(in: data).sorted().map { name in
            let file = try open("\(data)/\(name)")
            fchmod(file.raw, 0o600)
            let described = try Self.describe(file, name)
            try system("fsync") { fsync(file.raw) }
            return described
        }
        try synchronise(data)
        return files
    }

    /// Writes the manifest as a whole or not at all.
    func write(_ manifest: BackupManifest) throws {
        let new = "\(manifestPath).new"
        let text = try JSON.encode(manifest) + [UInt8(ascii: "\n")]
        let file = OwnedDescriptor(
            adopting: try system("open") {
                Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            })
        try writeAll(text, to: file.raw)
        try system("fsync") { fsync(file.raw) }
        try system("rename") { rename(new, manifestPath) }
        try synchronise(path)
    }

    /// Reads the manifest, without looking at the files. Throws `StartFailure` if there is none.
    func manifest() throws -> BackupManifest {
        guard access(path, F_OK) == 0 else { throw StartFailure(fault("cannot be read", errno)) }
        let text: String
        guard access(manifestPath, F_OK) == 0 else {
            throw StartFailure(
                "\(path) has no \(BackupManifest.name): it is no backup, or one that was not finished.")
        }
        do throws(SystemError) {
            text = try SmallFile.read(manifestPath, limit: BackupManifest.limit)
        } catch {
            throw StartFailure("\(manifestPath) cannot be read: \(error.reason).")
        }
        return try BackupManifest.read(Array(text.utf8))
    }

    /// Compares the files with the manifest. Throws `StartFailure` at the first that differs.
    func check(_ manifest: BackupManifest) throws {
        var left = Set(try names(in: data))
        for file in manifest.files {
            // A name is opened only if it is in the folder, so none leads elsewhere.
            guard left.remove(file.name) != nil else {
                throw StartFailure("The backup is damaged: \(file.name) is missing.")
            }
            let found = try Self.describe(try open("\(data)/\(file.name)"), file.name)
            guard found.bytes == file.bytes else {
                throw StartFailure(
                    "The backup is damaged: \(file.name) has \(found.bytes) bytes in place of \(file.bytes).")
            }
            guard found.sha256 == file.sha256 else {
                throw StartFailure("The backup is damaged: \(file.name) has another SHA-256 digest.")
            }
        }
        if let name = left.min() { throw StartFailure("The backup is damaged: \(name) is no part of it.") }
    }

    private static func describe(
        _ file: borrowing OwnedDescriptor, _ name: String
    ) throws -> BackupManifest.File {
        let digest = try RunningDigest()
        var bytes: Int64 = 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: 16)
        defer { piece.deallocate() }
        while true {
            if Interruption.isAsked { throw CancellationError() }
            let count = Int(
                try system("read") { CInt(Glibc.read(file.raw, piece.baseAddress, piece.count)) })
            if count == 0 { break }
            try digest.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            bytes += Int64(count)
        }
        return BackupManifest.File(name: name, bytes: bytes, sha256: try digest.finish().hexadecimal)
    }

    private func open(_ file: String) throws -> OwnedDescriptor {
        do {
            return OwnedDescriptor(
                adopting: try system("open") { Glibc.open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) })
        } catch {
            throw StartFailure("\(file) cannot be read: \(error.reason).")
        }
    }

    private func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else { throw StartFailure(fault("cannot be read", errno)) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            guard names.count <= Self.mostFiles else {
                throw StartFailure("\(folder) has more than \(Self.mostFiles) files.")
            }
        }
        return names
    }

    private func synchronise(_ folder: String) throws {
        let descriptor = OwnedDescriptor(
            adopting: try system("open") { Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        try system("fsync") { fsync(descriptor.raw) }
    }

    private func fault(_ what: String, _ code: CInt) -> String {
        "\(path) \(what): \(String(cString: strerror(code)))."
    }
}
