import Glibc

/// A file that holds a token and nothing else.
enum TokenFile {
    static let limit = 4096

    /// Refuses a file that others can read.
    static func read(_ path: String) throws(Failure) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path) }
        defer { _ = close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(path) }
        guard status.st_mode & 0o077 == 0 else {
            throw Failure(
                .signIn, "Others can read the token",
                "Others can read \(path). Keep it to yourself: chmod 600 \(Shell.quoted(path))")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw unreadable(path) }
        return try token(in: bytes[..<count], from: path)
    }

    /// The one word of visible characters that the bytes are.
    static func token(in bytes: ArraySlice<UInt8>, from source: String) throws(Failure) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let word = bytes.drop(while: isSpace).prefix { !isSpace($0) }
        let rest = bytes[word.endIndex...].drop(while: isSpace)
        guard !word.isEmpty, rest.isEmpty, word.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.signIn, "There is no token", "\(source) does not hold one token and nothing else.")
        }
        return String(decoding: word, as: UTF8.self)
    }

    private static func unreadable(_ path: String) -> Failure {
        Failure(
            .signIn, "The token cannot be read",
            "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
