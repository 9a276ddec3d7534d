/// One event of an event stream.
package struct ServerSentEvent: Hashable, Sendable {
    /// The last id that the stream has told.
    package var id: String?
    /// `message` where the stream names none.
    package var event: String
    package var data: String

    package init(id: String?, event: String = "message", data: String) {
        self.id = id
        self.event = event
        self.data = data
    }
}
