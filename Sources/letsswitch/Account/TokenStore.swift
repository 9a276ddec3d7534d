import Client
import Contract
import Glibc

/// The stored token of the signed-in user: a file that only that user can read.
struct TokenStore: Sendable {
    private static let directoryMode: mode_t = 0o700
    /// The number of attempts to lock, which take about ten seconds.
    private static let lockAttempts = 200
    private static let lockPause = Duration.milliseconds(50)

    let directory: String
    var path: String { "\(directory)/token" }
    var unshown: UnshownSecrets { UnshownSecrets(directory: directory) }

    /// Finds the folder: in `$XDG_CONFIG_HOME`, if that is an absolute path as it has to be, else in
    /// `~/.config`.
    init() throws(Failure) {
        if let config = Environment["XDG_CONFIG_HOME"], config.hasPrefix("/") {
            directory = "\(config)/letsswitch"
        } else if let home = Environment["HOME"], home.hasPrefix("/") {
            directory = "\(home)/.config/letsswitch"
        } else {
            throw Failure(
                .other, "There is no home", "Set HOME or XDG_CONFIG_HOME, so that the token has a place.")
        }
    }

    var isSignedIn: Bool { access(path, F_OK) == 0 }

    /// Whether there is a token for that server, or one that cannot be read.
    func isSignedIn(at server: Server, usual: Server?) -> Bool {
        isSignedIn && (try? read())?.isFor(server, usual: usual) ?? true
    }

    func read() throws(Failure) -> StoredToken {
        guard isSignedIn else {
            throw Failure(
                .signIn, "You are not signed in",
                "You are not signed in. Make an account with \"letsswitch signup NAME\", or sign in with "
                    + "\"letsswitch login --token-file F\".")
        }
        return try StoredToken(SecretFile.token.bytes(of: path), from: path)
    }

    /// Creates the folder, so that a token that is shown once can be stored.
    func prepare() throws(Failure) {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/\(part)"
            if mkdir(path, Self.directoryMode) != 0 && errno != EEXIST { throw unwritable() }
        }
        _ = chmod(directory, Self.directoryMode)
        if access(directory, W_OK | X_OK) != 0 { throw unwritable() }
    }

    /// Replaces the file atomically: a reader sees the old token or the new one.
    func write(_ token: StoredToken) throws(Failure) {
        if !PrivateFile.write(Array(token.text.utf8), to: path) { throw unwritable() }
    }

    /// Removes the token, and what is kept beside it for its account.
    func remove() throws(Failure) {
        if unlink(path) != 0 && errno != ENOENT { throw unwritable() }
        EntryStore.removeAll(in: directory)
        UnshownSecrets.removeAll(in: directory)
    }

    /// Waits until no other process replaces the token, and locks others out until the returned descriptor is
    /// closed. The lock is the folder's, since the file itself is replaced.
    func lock() async throws -> CInt {
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw unwritable() }
        for _ in 0..<Self.lockAttempts {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
            try? await Task.sleep(for: Self.lockPause)
        }
        _ = close(folder)
        throw Failure(
            .conflict, "The token is being replaced",
            "Another letsswitch is replacing the token in \(path). Try again once it has ended.")
    }

    private func unwritable() -> Failure {
        let reason = String(cString: strerror(errno))
        return Failure(.other, "The token cannot be stored", "\(path) cannot be written: \(reason).")
    }
}
