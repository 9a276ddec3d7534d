import CLinux
import Contract
import Crypto
import Database
import Glibc
import Logging
import Postgres
import Reactor
import Settings

/// `letsswitch-server operator`, which makes, lists, disables and resets the accounts of operators.
struct OperatorCommand: Sendable {
    let configuration: ServerConfiguration
    let request: OperatorRequest

    /// Lines for standard output. Throws `StartFailure` for what cannot be done.
    func run() async throws -> [String] {
        // The password is asked for before the database is opened.
        let password: PasswordHash?
        let code: OneTimeCode?
        switch request {
        case .list, .disable: (password, code) = (nil, nil)
        case .add(let name, let role, let given):
            guard Operator.isName(name) else {
                throw StartFailure(
                    "A name has 1 to 32 of a-z 0-9 . _ -, and begins with a letter or a digit; not \(name).")
            }
            guard OperatorRole(rawValue: role) != nil else {
                throw StartFailure("--role has to be viewer, support or admin; not \(role).")
            }
            password = try await Self.hash(given)
            code = given.hasCode ? .make() : nil
        case .reset(_, let given):
            password = try await Self.hash(given)
            code = given.hasCode ? .make() : nil
        }
        return try await CommandDatabase.run(configuration, "operator") { pool, now in
            try await work(password, code, on: pool, at: now)
        }
    }

    private func work(
        _ password: PasswordHash?, _ code: OneTimeCode?, on pool: PostgresPool, at now: Timestamp
    ) async throws -> [String] {
        let audit = AuditLog(
            key: try await ServerKey.read(configuration.auditKey, orKept: "audit-key", in: pool))
        switch request {
        case .list:
            return try await OperatorAccounts.list(in: pool).map { listed in
                let seen = listed.lastSeenAt.map { "seen \($0)" } ?? "never seen"
                let state = listed.disabledAt.map { "disabled \($0)" } ?? seen
                return "\(listed.name)  \(listed.role)\(listed.hasCode ? "  with codes" : "")  \(state)"
            }
        case .add(let name, let role, _):
            try await act(audit, AuditLog.firstAction, name, at: now, in: pool) { connection in
                guard let password, let role = OperatorRole(rawValue: role),
                    try await OperatorAccounts.add(name, role, password, code, on: connection)
                else { throw StartFailure("There is an operator \(name) already.") }
            }
            return ["\(name) may sign in, as \(role)."] + Self.lines(code, name)
        case .disable(let name):
            try await act(audit, "operator.disable", name, at: now, in: pool) { connection in
                guard try await OperatorAccounts.disable(name, on: connection) else {
                    throw StartFailure("There is no operator \(name).")
                }
            }
            return ["\(name) may not sign in any more."]
        case .reset(let name, _):
            try await act(audit, "operator.reset", name, at: now, in: pool) { connection in
                guard let password, try await OperatorAccounts.reset(name, password, code, on: connection)
                else {
                    throw StartFailure("There is no operator \(name).")
                }
            }
            return ["\(name) has a new password; all sessions and tokens have ended."]
                + Self.lines(code, name)
        }
    }

    /// Acts in a transaction with its entry in the audit log.
    private func act(
        _ audit: AuditLog, _ action: String, _ name: String, at now: Timestamp, in pool: PostgresPool,
        _ body: @Sendable (PostgresConnection) async throws -> Void
    ) async throws {
        try await pool.transaction { connection in
            try await body(connection)
            try await audit.write(
                AuditEntry(
                    by: "command line", action: action, subject: "operator:\(name)", requestID: "command line"
                ),
                at: now, on: connection)
        }
    }

    private static func lines(_ code: OneTimeCode?, _ name: String) -> [String] {
        guard let code else { return [] }
        return ["The secret of the one-time codes is shown once: \(code.text)", code.address(of: name)]
    }

    private static func hash(_ given: OperatorRequest.Password) async throws -> PasswordHash {
        let text = try given.file.map { try readFile($0) } ?? ask()
        let lengths = Operator.passwordLengths
        guard lengths.contains(text.count) else {
            throw StartFailure(
                "A password has \(lengths.lowerBound) to \(lengths.upperBound) characters, not \(text.count)."
            )
        }
        return try await BlockingThread.run { () throws(CryptoError) in try PasswordHash(of: text) }
    }

    private static func readFile(_ path: String) throws -> String {
        var text: String
        do {
            text = try SmallFile.read(path)
        } catch {
            throw StartFailure("The password cannot be read from \(path): \(error.reason).")
        }
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// Asks twice at the terminal, which shows nothing of what is typed.
    private static func ask() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else {
            throw StartFailure("There is no terminal to ask for a password. Use --password-file.")
        }
        let first = try read("Password: ")
        guard try read("Once more: ") == first else { throw StartFailure("The two are not the same.") }
        return first
    }

    private static func read(_ prompt: String) throws -> String {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            throw StartFailure("The terminal cannot be asked.")
        }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        Log.plain(prompt)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        guard let line = readLine() else { throw StartFailure("No password was given.") }
        return line
    }
}
