/// What a NOTIFY sent.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    package let payload: String
    /// The server's process for the session that sent it.
    package let processID: Int32
}
