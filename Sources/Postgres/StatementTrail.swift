#if DEBUG
    import Codecs

    /// Where in the program a connection is, as far as its statements tell.
    ///
    /// A statement of a transaction is known by its text and by the first one that the transaction ran
    /// besides taking locks; a COMMIT by the tables that the transaction has written. All ROLLBACKs are one
    /// place: one comes only after another failure, which strikes each place once, and whatever becomes of
    /// it, the transaction has not happened.
    struct StatementTrail {
        private var isInside = false
        private var first: String?
        private var writes: Set<String> = []

        /// The site of what is about to be sent.
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
                // A limit that depends on the time that is left: the same place, whatever it is set to.
                return StatementSite(String(text.prefix { $0 != "=" }), in: isInside ? first : nil)
            case "SELECT" where text.hasPrefix("SELECT pg_advisory_lock_shared("):
                // Each process holds a lock of its own name for as long as it lives.
                return StatementSite(String(text.prefix { $0 != "'" }), in: isInside ? first : nil)
            case let verb where isInside:
                if ["INSERT", "UPDATE", "DELETE", "COPY", "WITH"].contains(verb) {
                    writes.insert(Self.table(text))
                }
                // Every transaction takes them; it is told by what it does next.
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
        /// The table that a statement writes; of one that begins with WITH, its beginning.
        private static func table(_ text: String) -> String {
            let words = text.split(separator: " ")
            if words.first == "WITH" { return String(text.prefix(60)) }
            return words.dropFirst().first { $0 != "INTO" && $0 != "FROM" }.map(String.init) ?? text
        }
    }

    /// A place in the program at which it talks to the database.
    struct StatementSite: Hashable, Sendable {
        /// Sixteen digits, the same in every run.
        let id: String
        private let label: String

        /// As it stands in a file: the id, and what tells a person which it is.
        var line: String { "\(id) \(label)" }

        init(_ text: String, in transaction: String?, _ distinction: String = "") {
            let place = transaction ?? ""
            id = FNV1a("\(place)|\(distinction)|\(text)".utf8).hexadecimal
            let context = distinction.isEmpty ? place : distinction
            label = context.isEmpty ? "\(text.prefix(120))" : "\(text.prefix(90)) [\(context.prefix(90))]"
        }
    }
#endif
