import Contract
import Glibc

/// A file that holds one secret and nothing else.
struct SecretFile: Sendable {
    static let limit = 4096

    static let token = SecretFile(subject: "token", code: .signIn)
    static let recoveryCode = SecretFile(subject: "recovery code", code: .signIn)
    static let webhookSecret = SecretFile(subject: "secret", code: .usage)

    /// The name of the secret, for messages.
    let subject: Text
    /// The exit code of the process if the secret cannot be read.
    let code: ExitCode

    /// Returns the secret in the file; refuses a file that others can read.
    func read(_ path: String) throws(Failure) -> String { try word(in: bytes(of: path), from: path) }

    /// Returns the bytes of the file, whatever they are; refuses a file that others can read.
    func bytes(of path: String) throws(Failure) -> ArraySlice<UInt8> {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path) }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(
                code, "Others can read the \(subject)",
                "Others can read \(path). Keep it to yourself: chmod 600 \(Shell.quoted(path))")
        }
        var bytes = [UInt8](repeating: 0, count: Self.limit)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw unreadable(path) }
        return bytes[..<count]
    }

    /// Returns the one word of visible characters that the bytes consist of.
    func word(in bytes: ArraySlice<UInt8>, from source: String) throws(Failure) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let word = bytes.drop(while: isSpace).prefix { !isSpace($0) }
        let rest = bytes[word.endIndex...].drop(while: isSpace)
        guard !word.isEmpty, rest.isEmpty, word.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                code, "There is no \(subject)", "\(source) does not hold one \(subject) and nothing else.")
        }
        return String(decoding: word, as: UTF8.self)
    }

    private func unreadable(_ path: String) -> Failure {
        Failure(
            code, "The \(subject) cannot be read",
            "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
