public import Contract

/// Something that happened to a connection, for whoever looks for a fault. As JSON it is one flat object,
/// such as `{"at":"…","event":"sent","milliseconds":3.2,"type":"ale"}`.
public struct Diagnostic: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        /// The connection was started.
        case activated
        /// It is closed for good; the reason is that of `CloseReason.kind`.
        case deactivated(reason: String)
        /// Whether anything answers at the server's address.
        case reachabilityChanged(isReachable: Bool)
        /// The server has acknowledged a message, that long after it was first sent.
        case sent(type: String, duration: Duration)
        /// A message did not get through; the error is that of `ClientError.kind`.
        case deliveryFailed(type: String, error: String, willRetry: Bool)
        /// What was to go one way went another.
        case fallbackUsed(type: String, from: DeliveryRoute, to: DeliveryRoute)
        /// A message waits, with so many in all.
        case queued(type: String, depth: Int)
        /// All that waited has arrived; so many were sent since the queue was empty last.
        case queueFlushed(count: Int)
        case healthChanged(Health)
        case recoveryAttempted
        case recoverySucceeded
        /// The error is that of `ClientError.kind`.
        case recoveryFailed(error: String)
        /// So many were dropped here, because this reader was too slow.
        case missed(Int)
    }

    /// By the clock of this machine.
    public var at: Timestamp
    public var event: Event

    public init(at: Timestamp, _ event: Event) {
        self.at = at
        self.event = event
    }
}
