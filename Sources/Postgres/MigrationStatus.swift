/// The migrations of a database, compared with the list of a program.
package struct MigrationStatus: Hashable, Sendable {
    /// The migrations of the list that have not been applied.
    package let pending: [Migration]
    /// The migrations that were applied with another text than the list has.
    package let changed: [Migration]
    /// The versions that a newer program applied, and on whose schema this program does not work.
    package let unknown: [Int]
    /// The versions that a newer program applied, and on whose schema this program works all the same.
    package let later: [Int]

    /// Returns the version of the last migration that was applied, for a list of `known` migrations.
    package func found(of known: Int) -> Int { (later + unknown).max() ?? known - pending.count }

    /// Whether no migration is missing, and none contradicts the list.
    package var isCurrent: Bool { pending.isEmpty && changed.isEmpty && unknown.isEmpty }
}
