import Client
import Contract
import Glibc
import Reactor

/// Writes everything that the service holds about the account to a file, or to standard output.
enum ExportCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let api = try await invocation.signedIn()
        guard let path = invocation.arguments.value("output") else {
            return try await api.export { invocation.console.write($0) }
        }
        let file = try ExportFile(path)
        Interruption.cleanUp { file.discard() }
        let console = invocation.console
        let showsProgress = !console.isQuiet && isatty(STDERR_FILENO) == 1
        var count = 0
        do {
            try await api.export { piece in
                try file.write(piece)
                count += piece.count
                if showsProgress { show("\(count / 1024) KiB …") }
            }
            try file.finish()
        } catch {
            file.discard()
            if showsProgress { show("") }
            throw error
        }
        Interruption.cleanUp(by: nil)
        if showsProgress { show("") }
        console.json(["bytes": .integer(count), "file": .string(path)])
        console.note("Written to \(SafeText.escape(path)), \(count) bytes. Only you can read it.")
    }

    /// Replaces the line of progress on standard error.
    private static func show(_ text: String) {
        try? writeAll(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
    }
}

/// A file that appears under its name when it is whole, and that only its owner can read.
struct ExportFile: Sendable {
    private let path: String
    private let temporary: String
    private let descriptor: CInt

    init(_ path: String) throws(Failure) {
        self.path = path
        temporary = "\(path).\(getpid()).part"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
        } catch {
            throw Self.unwritable(path, error.reason)
        }
    }

    /// Gives the file its name, replacing another file of that name.
    func finish() throws(Failure) {
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw Self.unwritable(path) }
        _ = close(descriptor)
    }

    /// Removes the file, which is not whole.
    func discard() {
        _ = unlink(temporary)
        _ = close(descriptor)
    }

    private static func unwritable(
        _ name: String, _ reason: String = String(cString: strerror(errno))
    ) -> Failure {
        Failure(.other, "The export cannot be written", "\(name) cannot be written: \(reason).")
    }
}
