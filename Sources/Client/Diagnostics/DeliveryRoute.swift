/// A way for a message to go.
public enum DeliveryRoute: String, Codable, Hashable, Sendable {
    /// At once, on the connection there is.
    case live
    /// In the queue, in order.
    case queue
    /// In place of earlier ones of its type.
    case latest
    /// Nowhere.
    case dropped
}
