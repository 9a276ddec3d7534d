/// How far a database is, seen from a program's list of migrations.
package struct MigrationStatus: Hashable, Sendable {
    /// Those of the list that have not been applied.
    package let pending: [Migration]
    /// Applied, but their text in the list is another one.
    package let changed: [Migration]
    /// Applied, and not in the list: a newer program was here, and this one does not work on its schema.
    package let unknown: [Int]
    /// Applied, and not in the list; this program works on the schema all the same.
    package let later: [Int]

    /// The last migration that was applied, of a list that counts so many.
    package func found(of known: Int) -> Int { (later + unknown).max() ?? known - pending.count }

    /// Nothing is missing, and nothing contradicts the list.
    package var isCurrent: Bool { pending.isEmpty && changed.isEmpty && unknown.isEmpty }
}
