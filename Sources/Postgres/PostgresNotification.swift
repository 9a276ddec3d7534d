/// What a NOTIFY sent.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    package let payload: String
}
