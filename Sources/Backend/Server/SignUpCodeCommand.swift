import Contract
import Database
import Postgres
import Settings

/// `letsswitch-server signup-code`, which makes, lists and ends codes for sign-ups.
struct SignUpCodeCommand: Sendable {
    private static let name = "command line"

    let configuration: ServerConfiguration
    let request: SignUpCodeRequest

    /// Lines for standard output. Throws `StartFailure` for a request that cannot be met.
    func run() async throws -> [String] {
        try await CommandDatabase.run(configuration, "signup-code") { pool, now in
            switch request {
            case .list: return try await list(at: now, in: pool)
            case .add(let uses, let end):
                let end = end ?? now.adding(.seconds(SignUpCodes.usualSeconds))
                return try await add(uses: uses, until: end, at: now, in: pool)
            case .end(let id):
                try await act(SignUpCodes.endAction, at: now, in: pool) { connection in
                    guard try await SignUpCodes.end(id, on: connection) else {
                        throw StartFailure("There is no code \(id). The codes: signup-code list")
                    }
                    return (id, nil)
                }
                return ["Code \(id) has ended."]
            }
        }
    }

    private func list(at now: Timestamp, in pool: PostgresPool) async throws -> [String] {
        let codes = try await SignUpCodes.list(at: now, in: pool)
        guard !codes.isEmpty else { return ["There are no codes."] }
        return ["CODE  USED  UNTIL  MADE BY"]
            + codes.map { "\($0.id)  \($0.used) of \($0.uses)  \($0.expiresAt)  \($0.by)" }
    }

    private func add(
        uses: Int, until end: Timestamp, at now: Timestamp, in pool: PostgresPool
    ) async throws -> [String] {
        let bounds = SignUpCodes.uses
        guard bounds.contains(uses) else {
            throw StartFailure("--uses has to be \(bounds.lowerBound) to \(bounds.upperBound), not \(uses).")
        }
        guard end > now, end <= now.adding(.seconds(SignUpCodes.longestSeconds)) else {
            throw StartFailure("--until has to be in the future, within 366 days; not \(end).")
        }
        let code = AccessCode(for: .signUp)
        let id = try await act(SignUpCodes.addAction, at: now, in: pool) { connection in
            let id = try await SignUpCodes.add(
                code, uses: uses, until: end, by: Self.name, at: now, on: connection)
            guard let id else {
                throw StartFailure("There are \(SignUpCodes.most) codes, which is the most. End some first.")
            }
            let after: JSONValue = ["uses": .integer(Int64(uses)), "expiresAt": .time(end)]
            return (id, after)
        }
        var lines = [
            "Code \(id) makes \(counted(uses, "account", "accounts")) until \(end). It is shown once:",
            code.text,
        ]
        if !configuration.signUps.contains(.code) {
            lines.append("It has no effect while SIGNUPS is without code.")
        }
        return lines
    }

    /// Acts on a code in a transaction, with its entry in the audit log. Without operators there is no log.
    @discardableResult
    private func act(
        _ action: String, at now: Timestamp, in pool: PostgresPool,
        _ body: @Sendable (PostgresConnection) async throws -> (id: Int64, after: JSONValue?)
    ) async throws -> Int64 {
        let audit = AuditLog(
            key: try await ServerKey.read(configuration.auditKey, orKept: "audit-key", in: pool))
        return try await pool.transaction { connection in
            let (id, after) = try await body(connection)
            guard try await OperatorAccounts.exist(on: connection) else { return id }
            try await audit.write(
                AuditEntry(
                    by: Self.name, action: action, subject: SignUpCodes.subject(id), after: after,
                    requestID: Self.name),
                at: now, on: connection)
            return id
        }
    }
}
