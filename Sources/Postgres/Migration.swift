/// One step of the schema, which never changes once it has been applied anywhere.
///
/// A file whose first line is `-- migrate: outside a transaction` runs in parts, which lines `-- migrate:
/// next` divide. Each part is one statement that PostgreSQL allows outside transactions only, or several that
/// take effect together. A migration that was cut off begins again at its first part, so each part must skip
/// the changes that are done already.
package struct Migration: Hashable, Sendable {
    /// The position in the list of migrations, from 1 on without gaps.
    package let version: Int
    package let name: String
    /// The SQL of one or more statements.
    package let sql: String

    private static let outside = "-- migrate: outside a transaction\n"

    package init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    /// The parts of a migration that runs outside transactions; nil if the migration is one transaction.
    var parts: [Part]? {
        guard sql.hasPrefix(Self.outside) else { return nil }
        var parts: [Part] = []
        var lines: [Substring] = []
        for line in sql.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
            if line == "-- migrate: next" {
                parts.append(Part(lines))
                lines = []
            } else {
                lines.append(line)
            }
        }
        return parts + [Part(lines)]
    }

    /// The statements that are sent to the server in one message.
    struct Part: Hashable, Sendable {
        let sql: String
        /// The index that the part creates concurrently; nil if it creates none.
        let index: String?

        init(_ lines: [Substring]) {
            sql = lines.joined(separator: "\n")
            let words = lines.lazy.filter { !$0.hasPrefix("--") }.joined(separator: " ").split(separator: " ")
            var rest = words.prefix(8).filter { $0.uppercased() != "UNIQUE" }[...]
            for word in ["CREATE", "INDEX", "CONCURRENTLY", "IF", "NOT", "EXISTS"] {
                guard rest.popFirst()?.uppercased() == word else {
                    index = nil
                    return
                }
            }
            index = rest.first.map(String.init)
        }
    }
}
