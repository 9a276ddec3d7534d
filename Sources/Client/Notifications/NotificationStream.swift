public import Contract

/// A stream of the caller's notifications, over as many connections as it needs.
///
/// It reconnects by itself if the connection is lost, if the account has too many streams, and if the server
/// is overloaded. It waits at least as long as `Retry-After` or `retry` of the server, plus jitter, and not
/// at all after a suspension of the process or a change of the network. It resumes at its position, so no
/// notification is lost or repeated. It ends with an error if it cannot connect the first time, if the server
/// refuses it, if its task is cancelled, and with the problem `tooManyStreams` if a newer stream of the
/// account has replaced it.
public struct NotificationStream: AsyncSequence, Sendable {
    /// An event of the stream.
    public enum Event: Hashable, Sendable {
        /// The stream is connected: no later notification is missed. It can occur again without `interrupted`
        /// before.
        case connected
        /// A notification, each once and in the order of their ids.
        case notification(UserNotification)
        /// The connection is lost. The next attempt follows after the wait.
        case interrupted(reason: Text, wait: Duration)
    }

    let api: APIClient
    let after: Int64?
    /// The requested types; nil for all.
    let types: [NotificationType]?

    /// Returns an iterator, which opens a stream of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(api: api, after: after, types: types) }
}
