import Codecs

/// The position of a connection in the program, as far as its statements tell.
///
/// A statement of a transaction is identified by its text and by the first statement of the transaction in
/// addition to those that take locks; a COMMIT by the tables that the transaction has written. All ROLLBACKs
/// are one site: a ROLLBACK comes only after another failure, which happens once at each site, and whether it
/// succeeds or not, the transaction has no effect.
struct StatementTrail {
    private var isInside = false
    private var first: String?
    private var writes: Set<String> = []

    /// Returns the site of the statement that is about to be sent.
    mutating func pass(_ sql: String) -> StatementSite {
        let text = sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        switch text.prefix(while: { $0 != " " }) {
        case "BEGIN":
            self = StatementTrail()
            isInside = true
            return StatementSite(text, in: nil)
        case "ROLLBACK":
            self = StatementTrail()
            return StatementSite(text, in: nil)
        case "COMMIT":
            defer { self = StatementTrail() }
            return StatementSite(text, in: first, writes.sorted().joined(separator: "; "))
        case "SET":
            // A limit may depend on the time that is left: the site is the same for every value.
            return StatementSite(String(text.prefix { $0 != "=" }), in: isInside ? first : nil)
        case "SELECT" where text.hasPrefix("SELECT pg_advisory_lock_shared("):
            // Each process holds a lock of its own name while it runs.
            return StatementSite(String(text.prefix { $0 != "'" }), in: isInside ? first : nil)
        case let verb where isInside:
            if ["INSERT", "UPDATE", "DELETE", "COPY", "WITH"].contains(verb) {
                writes.insert(Self.table(text))
            }
            // Every transaction takes locks; its next statement distinguishes it.
            let isLock = text.contains("advisory")
            if first == nil && !isLock {
                first = text
                return StatementSite(text, in: nil)
            }
            return StatementSite(text, in: first)
        default:
            return StatementSite(text, in: nil)
        }
    }
}

extension StatementTrail {
    /// Returns the table that a statement writes; for one that begins with WITH, its first 60 characters.
    private static func table(_ text: String) -> String {
        let words = text.split(separator: " ")
        if words.first == "WITH" { return String(text.prefix(60)) }
        return words.dropFirst().first { $0 != "INTO" && $0 != "FROM" }.map(String.init) ?? text
    }
}

/// A place in the program that sends a statement to the database.
struct StatementSite: Hashable, Sendable {
    /// An id of sixteen digits, the same in every run.
    let id: String
    private let label: String

    /// The line for a file: the id, and a label for people.
    var line: String { "\(id) \(label)" }

    init(_ text: String, in transaction: String?, _ distinction: String = "") {
        let place = transaction ?? ""
        id = FNV1a("\(place)|\(distinction)|\(text)".utf8).hexadecimal
        let context = distinction.isEmpty ? place : distinction
        label = context.isEmpty ? "\(text.prefix(120))" : "\(text.prefix(90)) [\(context.prefix(90))]"
    }
}
