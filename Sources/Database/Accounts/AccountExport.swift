package import Contract
import Matching
package import Postgres

/// Everything that is held about one account, as one JSON document that is written piece by piece.
///
/// Rows are read a page at a time, by statements of their own: a slow reader holds neither a transaction nor
/// a connection, and the memory that is taken does not grow with the account. What was there all the time is
/// in the document once; a change that is made meanwhile may be in it, or not.
package struct AccountExport: Sendable {
    /// The rows that are read at once.
    package static let page = 200
    /// The bytes that are gathered before they are written.
    private static let pieceSize = 16 * 1024

    /// The account was deleted, or the token ended, while the document was written.
    package struct SignedOut: Error {}

    private static let signedIn = """
        SELECT FROM tokens
        WHERE user_id = $1 AND number = $2 AND (expires_at IS NULL OR expires_at > now())
        """

    private static let exists = "SELECT FROM accounts WHERE id = $1"

    private let user: Identifier
    /// The token that the document ends with; nil for an operator's.
    private let tokenNumber: Int32?
    private let database: PostgresPool

    package init(of user: SignedInUser, from database: PostgresPool) {
        self.user = user.id
        tokenNumber = user.tokenVersion
        self.database = database
    }

    /// Creates the export that an operator asks for, of an account whose owner cannot.
    package init(of user: Identifier, from database: PostgresPool) {
        self.user = user
        tokenNumber = nil
        self.database = database
    }

    /// Writes the document. Throws `SignedOut` if the token ends before the last byte, so that a deleted
    /// account is not taken for an empty one.
    package func write(
        at now: Timestamp, _ send: ([UInt8]) async throws -> Void
    ) async throws {
        var piece = Array("{\"exportedAt\":\"\(now)\"".utf8)
        for table in AccountData.tables where table.isExported {
            try await write(table, &piece, send)
        }
        piece.append(contentsOf: "}\n".utf8)
        try await checkToken()
        try await send(piece)
    }

    private func write(
        _ table: AccountTable, _ piece: inout [UInt8], _ send: ([UInt8]) async throws -> Void
    ) async throws {
        let isList = !table.key.isEmpty
        if isList { piece.append(contentsOf: ",\n\"\(table.member)\":[".utf8) }
        var position: [any PostgresEncodable]?
        var count = 0
        repeat {
            try await checkToken()
            let rows = try await database.query(
                table.statement(continues: position != nil), [user] + (position ?? []), retrying: true)
            for row in rows {
                if isList {
                    piece.append(contentsOf: (count == 0 ? "\n" : ",\n").utf8)
                } else {
                    piece.append(contentsOf: ",\n\"\(table.member)\":".utf8)
                }
                piece += try table.json(row).bytes
                count += 1
                if piece.count >= Self.pieceSize {
                    try await send(piece)
                    piece.removeAll(keepingCapacity: true)
                }
            }
            position = rows.count == Self.page ? try rows.last.map(table.position) : nil
        } while isList && position != nil
        if isList { piece.append(UInt8(ascii: "]")) }
    }

    private func checkToken() async throws {
        let rows =
            if let tokenNumber {
                try await database.query(Self.signedIn, [user, tokenNumber], retrying: true)
            } else {
                try await database.query(Self.exists, [user], retrying: true)
            }
        if rows.isEmpty { throw SignedOut() }
    }
}

extension AccountTable {
    /// Returns the statement that reads a page of rows of the account `$1`; the next one continues after the
    /// key that begins with `$2`.
    fileprivate func statement(continues: Bool) -> String {
        let values = key.map { $0.kind.expression($0.column) } + shown.map { $0.kind.expression($0.column) }
        let order = key.map(\.column).joined(separator: ", ")
        let parameters = key.enumerated().map { $1.kind.parameter($0 + 2) }.joined(separator: ", ")
        let rest = continues ? " AND (\(order)) > (\(parameters))" : ""
        let end = key.isEmpty ? "" : " ORDER BY \(order) LIMIT \(AccountExport.page)"
        let source: String
        switch owner {
        case .account, .column, .either: source = "\(name) WHERE \(condition)\(rest)\(end)"
        case .through(let table, let column):
            // The rows of each owner are read from an index, up to a page.
            source = """
                (
                    SELECT id AS owner_id FROM \(table)
                    WHERE \(AccountData.table(table)?.condition ?? "false")\(continues ? " AND id >= $2" : "")
                ) AS owner
                CROSS JOIN LATERAL (
                    SELECT * FROM \(name) WHERE \(column) = owner_id\(rest)\(end)) AS held\(end)
                """
        }
        return "SELECT \(values.joined(separator: ", ")) FROM \(source)"
    }

    /// Returns the key of a row, after which the next page begins.
    fileprivate func position(_ row: PostgresRow) throws(PostgresError) -> [any PostgresEncodable] {
        var position: [any PostgresEncodable] = []
        for (index, part) in key.enumerated() {
            switch part.kind {
            case .id: position.append(try row.decode(index, Identifier.self))
            case .time: position.append(try row.decode(index, Timestamp.self))
            case .number: position.append(try row.decode(index, Int64.self))
            case .day: position.append(try row.decode(index, String.self))
            case .bytes: position.append(try row.decode(index, [UInt8].self))
            }
        }
        return position
    }

    /// Returns a row as a JSON object, without what is NULL.
    fileprivate func json(_ row: PostgresRow) throws(PostgresError) -> JSONValue {
        var members: [JSONValue.Member] = []
        for (index, value) in shown.enumerated() {
            members += try value.kind.members(value.member, row, key.count + index)
        }
        return .object(members)
    }
}

extension AccountTable.KeyKind {
    fileprivate func expression(_ column: String) -> String {
        switch self {
        case .id, .time, .bytes: column
        case .number: "\(column)::int8"
        case .day: "\(column)::text"
        }
    }

    fileprivate func parameter(_ number: Int) -> String {
        switch self {
        case .id, .time, .number, .bytes: "$\(number)"
        case .day: "$\(number)::text::date"
        }
    }
}

extension AccountTable.Kind {
    fileprivate func expression(_ column: String) -> String {
        switch self {
        case .id, .time, .slot, .start, .texts, .flag: column
        case .text: "\(column)::text"
        case .number: "\(column)::int8"
        }
    }

    /// Returns a value as a member, a slot with its minutes as two; none for NULL.
    fileprivate func members(
        _ name: String, _ row: PostgresRow, _ column: Int
    ) throws(PostgresError) -> [JSONValue.Member] {
        let value: JSONValue? =
            switch self {
            case .id: try row.decode(column, Identifier?.self).map { .string($0.description) }
            case .text: try row.decode(column, String?.self).map { .string($0) }
            case .time: try row.decode(column, Timestamp?.self).map { .time($0) }
            case .slot, .start: try slot(row, column).map { .time($0.startsAt) }
            case .number: try row.decode(column, Int64?.self).map { .integer($0) }
            case .flag: try row.decode(column, Bool?.self).map { .bool($0) }
            case .texts: try row.decode(column, [String]?.self).map { .array($0.map { .string($0) }) }
            }
        guard let value else { return [] }
        let member = JSONValue.Member(name: name, value: value)
        guard self == .slot, let minutes = try slot(row, column)?.minutes else { return [member] }
        return [member, JSONValue.Member(name: "minutes", value: .integer(minutes))]
    }

    private func slot(_ row: PostgresRow, _ column: Int) throws(PostgresError) -> SlotKey? {
        try row.decode(column, Timestamp?.self).map { SlotKey($0) }
    }
}
