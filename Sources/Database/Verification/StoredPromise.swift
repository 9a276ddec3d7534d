/// A promise of `docs/internals/promises.md` that rows can show to be broken.
package struct StoredPromise: Sendable {
    /// A short name, for reports and tests.
    package let name: String
    /// The promise, as a sentence.
    package let text: String
    /// A query without parameters for what breaks it, with one column of text that names each: an id, or the
    /// start of a slot. It may run at any time beside servers, and finds nothing where the promise holds.
    package let query: String

    private static let sections = String(decoding: PackageResources.verify_sql, as: UTF8.self)
        .split(separator: "\n\\echo '")

    /// The statements of `verify.sql` before the first promise, for the transaction that checks them.
    static let preparation = String(sections[0])

    /// All promises that are checked, in the order of `docs/internals/promises.md`.
    package static let all = sections.dropFirst().map { StoredPromise($0) }

    /// Reads a section of `verify.sql`: the name and the sentence up to the closing quotation mark, and on
    /// the lines below them the query up to its semicolon.
    init(_ section: Substring) {
        let title = section.prefix { $0 != "\n" }
        let name = title.prefix { $0 != ":" }
        self.name = String(name)
        text = String(title.dropFirst(name.count + 2).dropLast().replacing("''", with: "'"))
        query = String(section.dropFirst(title.count + 1).prefix { $0 != ";" })
    }
}
