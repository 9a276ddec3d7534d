/// How far a database is, seen from a program's list of migrations.
package struct MigrationStatus: Hashable, Sendable {
    /// Those of the list that have not been applied.
    package let pending: [Migration]
    /// Applied, but their text in the list is another one.
    package let changed: [Migration]
    /// Applied, and not in the list: a newer program was here.
    package let unknown: [Int]

    /// Nothing is missing, and nothing contradicts the list.
    package var isCurrent: Bool { pending.isEmpty && changed.isEmpty && unknown.isEmpty }
}
