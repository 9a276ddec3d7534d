/// One event of an event stream.
package struct ServerSentEvent: Hashable, Sendable {
    /// The last id in the stream so far.
    package var id: String?
    /// The type; `message` if the stream names none.
    package var event = "message"
    package var data: String
}
