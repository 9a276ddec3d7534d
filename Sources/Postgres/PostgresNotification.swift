/// A notification that a NOTIFY sent.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    package let payload: String
    /// The process id of the server for the session that sent it.
    package let processID: Int32
}
