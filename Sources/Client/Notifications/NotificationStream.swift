public import Contract

/// The caller's notifications as they come, over as many connections as that takes.
///
/// It resumes where it was cut off, so nothing is lost or repeated. After a suspension of the process, and
/// when the machine has another network, it connects anew at once. It ends by throwing, when the server
/// refuses or the task is cancelled; a server that cannot be reached is tried again, and so is one where the
/// account has too many streams.
public struct NotificationStream: AsyncSequence, Sendable {
    public enum Event: Hashable, Sendable {
        /// From here on nothing is missed. It may come again without an interruption before.
        case connected
        case notification(UserNotification)
        /// The connection is gone; the next attempt comes after the wait.
        case interrupted(reason: String, wait: Duration)
    }

    let api: APIClient
    let after: Int64?

    public func makeAsyncIterator() -> Iterator { Iterator(api: api, after: after) }
}
