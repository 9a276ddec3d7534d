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
        /// The server's address has begun, or ceased, to answer.
        case reachabilityChanged(isReachable: Bool)
        /// The server has acknowledged a message, `duration` after it was first sent.
        case sent(type: String, duration: Duration)
        /// A message was not delivered; the error is a `ClientError.kind`.
        case deliveryFailed(type: String, error: String, willRetry: Bool)
        /// A message took another route than intended.
        case fallbackUsed(type: String, from: DeliveryRoute, to: DeliveryRoute)
        /// A message waits; `depth` is the number of all waiting messages.
        case queued(type: String, depth: Int)
        /// The server has acknowledged all messages: `count` since the queue was last empty.
        case queueFlushed(count: Int)
        /// The health has changed.
        case healthChanged(Health)
        /// `RoomConnection.attemptRecovery(timeout:)` was called.
        case recoveryAttempted
        /// The connection is in the room after `attemptRecovery(timeout:)`.
        case recoverySucceeded
        /// The connection is not in the room after `attemptRecovery(timeout:)`; the error is a
        /// `ClientError.kind`.
        case recoveryFailed(error: String)
        /// That number of diagnostics was dropped, because this reader was too slow.
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
