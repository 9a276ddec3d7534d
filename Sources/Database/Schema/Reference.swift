/// A column that refers to the row of another table without a foreign key, whose check of each row would
/// make a large match twice as slow. Rooms and their registrations are removed under the slot's lock alone.
package struct Reference: Sendable {
    package let table: String
    package let column: String
    /// The table that is referred to, by its column `id`.
    package let target: String

    /// All such columns of the schema.
    package static let all = [
        Reference(table: "members", column: "room_id", target: "rooms"),
        Reference(table: "members", column: "registration_id", target: "registrations"),
        Reference(table: "notifications", column: "registration_id", target: "registrations"),
        Reference(table: "notifications", column: "room_id", target: "rooms"),
    ]

    /// A query for the references to rows that do not exist, with one column of text that names each.
    static let dangling = all.map { reference in
        """
        SELECT '\(reference.table) \(reference.column) ' || \(reference.column) FROM \(reference.table)
        WHERE \(reference.column) IS NOT NULL AND NOT EXISTS (
            SELECT FROM \(reference.target) WHERE \(reference.target).id = \(reference.column))
        """
    }.joined(separator: "\nUNION ALL\n")
}
