/// An error that the server reported for a statement.
package struct ServerError: Hashable, Sendable, CustomStringConvertible {
    package let sqlState: SQLState
    package let message: String
    /// The details of the error. They may quote the row at fault, so they are not part of `description`.
    package let detail: String?
    package let constraint: String?
    package let table: String?

    package var description: String {
        let place = constraint.map { " (constraint \($0))" } ?? ""
        return "\(sqlState): \(message)\(place)"
    }
}
