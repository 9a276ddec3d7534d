package import Contract
import Crypto
package import Postgres

/// An act of an operator, as the audit log takes it.
package struct AuditEntry: Sendable {
    package var by: String
    package var action: String
    /// The subject of the act, such as `person:` and an id.
    package var subject: String
    /// The words before and after, as JSON; they can be erased.
    package var before: JSONValue?
    package var after: JSONValue?
    /// The person that the words are about: they go with the account.
    package var person: Identifier?
    package var requestID: String

    package init(
        by: String, action: String, subject: String, before: JSONValue? = nil, after: JSONValue? = nil,
        person: Identifier? = nil, requestID: String
    ) {
        self.by = by
        self.action = action
        self.subject = subject
        self.before = before
        self.after = after
        self.person = person
        self.requestID = requestID
    }
}

/// The log of what operators did. An entry is written in the transaction of the act.
///
/// Each entry has a digest of itself and of the entry before, and the last digest is signed: an entry that
/// was changed, put in between, or taken out is found by `verify`. Words are in the digests by salted digests
/// of their own, so that they can be erased. The chain begins once, with the first operator: without it
/// nothing is written, so that a chain that was removed stays missing.
package struct AuditLog: Sendable {
    static let noHash = [UInt8](repeating: 0, count: 32)
    private static let page: Int64 = 1000
    private static let erasedAtOnce: Int64 = 1000

    /// The key that signs where the chain begins and ends.
    private let key: [UInt8]

    package init(key: [UInt8]) { self.key = key }

    // Writing.

    /// The action that begins a chain.
    package static let firstAction = "operator.add"

    private static let hasOneOperator = "SELECT count(*) = 1 FROM operators"

    private static let begin = """
        INSERT INTO audit_marks (name, last_id, hash, signature) VALUES ('start', 0, $1, $2), ('head', 0,
            $1, $3)
        ON CONFLICT (name) DO NOTHING
        """

    /// The row of the person is locked before the head: acts on an account do it in that order.
    private static let lockPerson = "SELECT FROM accounts WHERE id = $1 FOR KEY SHARE"

    private static let lockHead = "SELECT last_id, hash FROM audit_marks WHERE name = 'head' FOR UPDATE"

    private static let insert = """
        INSERT INTO audit (id, at, operator, action, subject, before, after, request_id, hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        """

    private static let insertWords = """
        INSERT INTO audit_words (audit_id, person, salt, before, after) VALUES ($1, $2, $3, $4, $5)
        """

    private static let mark = "UPDATE audit_marks SET last_id = $2, hash = $3, signature = $4 WHERE name = $1"

    /// Writes an entry, as the last statement of the transaction: entries are numbered under a lock that is
    /// held until the commit. Throws `Missing` if there is no chain, unless it adds the first operator.
    package func write(
        _ entry: AuditEntry, at now: Timestamp, on connection: PostgresConnection
    ) async throws {
        var person = entry.person
        if let id = person, try await connection.query(Self.lockPerson, [id]).isEmpty { person = nil }
        var head = try await connection.query(Self.lockHead).first
        if head == nil {
            guard entry.action == Self.firstAction,
                try await connection.query(Self.hasOneOperator).first?.decode(0, Bool.self) == true
            else { throw Missing() }
            try await connection.query(
                Self.begin,
                [Self.noHash, signature("start", 0, Self.noHash), signature("head", 0, Self.noHash)])
            head = try await connection.query(Self.lockHead).first
        }
        guard let (last, previous) = try head?.decode(Int64.self, [UInt8].self) else { throw Missing() }
        let id = last + 1
        let (before, after) = (entry.before?.text, entry.after?.text)
        let salt = [UInt8].random(32)
        let words = Words(salt: salt, person: person, before: before, after: after)
        let row = Row(
            id: id, at: now, by: entry.by, action: entry.action, subject: entry.subject,
            before: words.digest(before), after: words.digest(after), requestID: entry.requestID)
        let hash = row.hash(after: previous)
        try await connection.query(
            Self.insert,
            [id, now, row.by, row.action, row.subject, row.before, row.after, row.requestID, hash])
        if before != nil || after != nil {
            try await connection.query(Self.insertWords, [id, person, salt, before, after])
        }
        try await connection.query(Self.mark, ["head", id, hash, signature("head", id, hash)])
    }

    // Verifying.

    /// The result of a look at the whole chain.
    package struct Verification: Equatable, Sendable {
        package var entries: Int64 = 0
        /// The number of entries whose words are erased.
        package var erased: Int64 = 0
        /// The fault, in a sentence; nil if there is none.
        package var fault: String?
        package var head = AuditLog.noHash
        /// The id of the last entry.
        package var last: Int64 = 0
    }

    private static let firstOperator = "SELECT name FROM operators ORDER BY id LIMIT 1"

    private static let marks = "SELECT name, last_id, hash, signature FROM audit_marks"

    private static let entries = """
        SELECT id, at, operator, action, subject, audit.before, audit.after, request_id, hash,
            salt, person, words.before, words.after
        FROM audit LEFT JOIN audit_words AS words ON audit_id = id
        WHERE id > $1
        ORDER BY id LIMIT $2
        """

    /// Computes the whole chain again, in one snapshot. A head that was kept elsewhere has to be the digest
    /// of an entry, or of the last one that was cut off.
    package func verify(keptHead: [UInt8]? = nil, in pool: PostgresPool) async throws -> Verification {
        try await pool.transaction(.repeatableRead, readOnly: true) { connection in
            try await verify(keptHead, on: connection)
        }
    }

    private func verify(
        _ keptHead: [UInt8]?, on connection: PostgresConnection
    ) async throws -> Verification {
        let firstOperator = try await connection.query(Self.firstOperator).first?.decode(0, String.self)
        var result = Verification()
        var marks: [String: (id: Int64, hash: [UInt8])] = [:]
        for row in try await connection.query(Self.marks) {
            let (name, id, hash, signed) = try row.decode(
                String.self, Int64.self, [UInt8].self, [UInt8].self)
            guard Digest.areEqual(signed, signature(name, id, hash)) else {
                result.fault = "The mark of the chain's \(name) is not signed with this service's key."
                return result
            }
            marks[name] = (id, hash)
        }
        var (last, hash) = marks["start"] ?? (0, Self.noHash)
        var hasKeptHead = keptHead == nil || last > 0 && hash == keptHead
        while true {
            let rows = try await connection.query(Self.entries, [last, Self.page])
            for row in rows {
                let (stored, words, storedHash) = try Self.read(row)
                guard stored.id == last + 1 else {
                    result.fault = "Entry \(last + 1) is missing."
                    return result
                }
                hash = stored.hash(after: hash)
                last = stored.id
                result.entries += 1
                if storedHash == keptHead { hasKeptHead = true }
                if hash != storedHash {
                    result.fault =
                        "Entry \(stored.id) is not as it was written, or an entry before it is not."
                    return result
                }
                if last == 1, !stored.adds(firstOperator) {
                    result.fault = "The chain does not begin with the first operator: it was begun again."
                    return result
                }
                if let words {
                    guard words.digest(words.before) == stored.before,
                        words.digest(words.after) == stored.after
                    else {
                        result.fault = "The words of entry \(stored.id) are not as they were written."
                        return result
                    }
                } else if stored.before != nil || stored.after != nil {
                    result.erased += 1
                }
            }
            if rows.count < Self.page { break }
        }
        (result.head, result.last) = (hash, last)
        if let head = marks["head"] {
            if head.id != last || head.hash != hash {
                result.fault = "The chain ends at entry \(last), and should end at \(head.id)."
            }
        } else if last > 0 || marks["start"] != nil {
            result.fault = "The mark of the chain's head is missing."
        } else if firstOperator != nil {
            result.fault = "Operators exist, but the audit log is empty: it was removed."
        }
        if result.fault == nil, !hasKeptHead { result.fault = Self.noKeptHead }
        return result
    }

    private static let noKeptHead =
        "The chain does not contain the given head: entries were removed, or the chain was begun again."

    /// The end of the chain, as the marks have it.
    package enum Head: Equatable, Sendable {
        /// There are neither operators nor entries.
        case none
        case at(last: Int64, hash: [UInt8])
        /// There are operators, but no chain.
        case missing
        /// The mark is not signed with this key.
        case unsigned
    }

    /// Reads the end of the chain, without its entries.
    package func head(in pool: PostgresPool) async throws(PostgresError) -> Head {
        for row in try await pool.query(Self.marks, retrying: true) {
            let (name, id, hash, signed) = try row.decode(
                String.self, Int64.self, [UInt8].self, [UInt8].self)
            guard name == "head" else { continue }
            return Digest.areEqual(signed, signature(name, id, hash)) ? .at(last: id, hash: hash) : .unsigned
        }
        return try await pool.query(Self.firstOperator, retrying: true).isEmpty ? .none : .missing
    }

    private static func read(
        _ row: PostgresRow
    ) throws(PostgresError) -> (row: Row, words: Words?, hash: [UInt8]) {
        let (id, at, by, action, subject) = try row.decode(
            Int64.self, Timestamp.self, String.self, String.self, String.self)
        let stored = Row(
            id: id, at: at, by: by, action: action, subject: subject, before: try row.decode(5),
            after: try row.decode(6), requestID: try row.decode(7))
        let words = try row.decode(9, [UInt8]?.self).map { salt throws(PostgresError) in
            Words(
                salt: salt, person: try row.decode(10), before: try row.decode(11), after: try row.decode(12))
        }
        return (stored, words, try row.decode(8))
    }

    // Erasing.

    private static let erase = """
        DELETE FROM audit_words WHERE audit_id IN (
            SELECT audit_id FROM audit_words JOIN audit ON id = audit_id
            WHERE at < $1 ORDER BY audit_id LIMIT $2)
        """

    /// Erases the words of entries from before a time, some at once. Returns whether there may be more.
    package static func erase(before time: Timestamp, in pool: PostgresPool) async throws(PostgresError)
        -> Bool
    {
        try await pool.execute(erase, [time, erasedAtOnce]) == Int(erasedAtOnce)
    }

    private static let lastBefore =
        "SELECT id, hash FROM audit WHERE at < $1 AND id <= $2 ORDER BY id DESC LIMIT 1"

    private static let allowCut = "SELECT set_config('letsswitch.cuts_audit', 'yes', true)"

    private static let cut = "DELETE FROM audit WHERE id <= $1"

    /// Cuts the beginning off the chain, up to the last entry before a time, and signs where it begins from
    /// then on. Returns the number of entries that went. Throws `Broken` where the chain is
    /// not whole: the signature would make an entry that was changed a right one.
    package func cut(
        before time: Timestamp, by operatorName: String, at now: Timestamp, in pool: PostgresPool
    ) async throws -> Int {
        // Operators go on acting while the chain is verified; no entry after it is cut off.
        let found = try await verify(in: pool)
        if let fault = found.fault { throw Broken(fault: fault) }
        return try await pool.transaction { connection in
            try await connection.query(Self.lockHead)
            guard let row = try await connection.query(Self.lastBefore, [time, found.last]).first else {
                return 0
            }
            let (id, hash) = try row.decode(Int64.self, [UInt8].self)
            try await connection.query(Self.allowCut)
            let count = try await connection.execute(Self.cut, [id])
            try await connection.query(Self.mark, ["start", id, hash, signature("start", id, hash)])
            try await write(
                AuditEntry(
                    by: operatorName, action: "audit.cut", subject: "audit:\(id)", requestID: "command line"),
                at: now, on: connection)
            return count
        }
    }

    /// There is no chain to add an entry to.
    package struct Missing: Error, CustomStringConvertible {
        package let description =
            "The audit log is missing, so nothing was changed. Restore the database from a backup."
    }

    /// The chain is not whole, and is not cut.
    package struct Broken: Error, CustomStringConvertible {
        package let fault: String
        package var description: String { "\(fault) The chain is not cut." }
    }

    private func signature(_ name: String, _ id: Int64, _ hash: [UInt8]) -> [UInt8] {
        Digest.hmacSHA256(Array("audit \(name) \(id) ".utf8) + hash, key: key)
    }

    // The digests.

    /// An entry without its words.
    private struct Row {
        var id: Int64
        var at: Timestamp
        var by: String
        var action: String
        var subject: String
        var before: [UInt8]?
        var after: [UInt8]?
        var requestID: String

        /// Whether the entry is the one that adds that operator.
        func adds(_ name: String?) -> Bool {
            action == AuditLog.firstAction && subject == "operator:\(name ?? "")"
        }

        /// Each field has its length before it, so that nothing can move from one to the next.
        func hash(after previous: [UInt8]) -> [UInt8] {
            var bytes = previous
            let fields = [
                Array("\(id)".utf8), Array("\(at.microseconds)".utf8), Array(by.utf8), Array(action.utf8),
                Array(subject.utf8), before ?? [], after ?? [], Array(requestID.utf8),
            ]
            for field in fields { bytes += Array("\(field.count):".utf8) + field }
            return Digest.sha256(bytes)
        }
    }

    private struct Words {
        var salt: [UInt8]
        var person: Identifier?
        var before: String?
        var after: String?

        func digest(_ text: String?) -> [UInt8]? {
            text.map { Digest.sha256(salt + Array("\(person?.description ?? "-") ".utf8) + Array($0.utf8)) }
        }
    }
}
