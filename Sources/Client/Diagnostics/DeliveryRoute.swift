/// The route of a message.
public enum DeliveryRoute: String, Codable, Hashable, Sendable {
    /// The message is sent at once, on the current connection.
    case live
    /// The message waits in the queue, in order.
    case queue
    /// The message replaces earlier ones of its type.
    case latest
    /// The message is not sent.
    case dropped
}
