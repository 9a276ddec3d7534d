public import Contract

/// An event of a connection, for diagnosis. As JSON it is one flat object, such as
/// `{"at":"…","event":"sent","milliseconds":3.2,"type":"ale"}`.
public struct Diagnostic: Hashable, Sendable {
    /// The kinds of events.
    public enum Event: Hashable, Sendable {
        /// The connection was started.
        case activated
        /// The connection is closed for good; the reason is a `CloseReason.kind`.
        case deactivated(reason: String)
        /// Whether anything answers at the server's address.
        case reachabilityChanged(isReachable: Bool)
        /// The server has acknowledged a message, `duration` after it was first sent.
        case sent(type: String, duration: Duration)
        /// A message was not delivered; the error is a `ClientError.kind`.
        case deliveryFailed(type: String, error: String, willRetry: Bool)
        /// A message took another route than intended.
        case fallbackUsed(type: String, from: DeliveryRoute, to: DeliveryRoute)
        /// A message waits; `depth` is the number of all waiting messages.
        case queued(type: String, depth: Int)
        /// All waiting messages have arrived; `count` were sent since the queue was last empty.
        case queueFlushed(count: Int)
        case healthChanged(Health)
        case recoveryAttempted
        case recoverySucceeded
        /// The error is a `ClientError.kind`.
        case recoveryFailed(error: String)
        /// The given number of diagnostics was dropped, because this reader was too slow.
        case missed(Int)
    }

    /// The time by the clock of this machine.
    public var at: Timestamp
    /// The event.
    public var event: Event

    /// Makes a diagnostic.
    public init(at: Timestamp, _ event: Event) {
        self.at = at
        self.event = event
    }
}
