public import Contract

/// A stream of the caller's notifications, over as many connections as it needs.
///
/// It resumes where it was cut off, so nothing is lost or repeated. After a suspension of the process, and
/// when the machine has another network, it reconnects at once. It ends by throwing, when the server refuses,
/// when the task is cancelled, and with `too-many-streams` when newer streams of the account have taken all
/// places. It tries again if the connection is lost, if the account has too many streams,
/// and if the server is busy. It waits at least as long as the server's `Retry-After` or `retry`, plus some
/// jitter.
public struct NotificationStream: AsyncSequence, Sendable {
    /// An event of the stream.
    public enum Event: Hashable, Sendable {
        /// No later notification is missed. This may be repeated without an interruption before.
        case connected
        case notification(UserNotification)
        /// The connection is lost; the next attempt comes after the wait.
        case interrupted(reason: Text, wait: Duration)
    }

    let api: APIClient
    let after: Int64?
    /// The types that are asked for; nil for all.
    let types: [NotificationType]?

    /// Returns an iterator, which opens a stream of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(api: api, after: after, types: types) }
}
