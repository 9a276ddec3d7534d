/// One step of the schema. Never changed once it has been applied anywhere.
package struct Migration: Hashable, Sendable {
    /// Counts from 1, without gaps.
    package let version: Int
    package let name: String
    /// One or more statements; they run in one transaction.
    package let sql: String

    package init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}
