package import Contract

/// One message that has to reach one endpoint.
package struct Delivery<Message: Sendable>: Sendable {
    package let id: Int64
    package let endpoint: Identifier
    /// Deliveries with the same name share a bound and a circuit: a host, or a push service.
    package let host: String
    /// The lower goes first.
    package let priority: Int
    /// How often it has been tried before.
    package let attempts: Int
    /// From then on it has lost its point, and is not sent any more; nil: never.
    package let expiresAt: Timestamp?
    package let message: Message

    package init(
        id: Int64, endpoint: Identifier, host: String, priority: Int = 0, attempts: Int,
        expiresAt: Timestamp?,
        message: Message
    ) {
        self.id = id
        self.endpoint = endpoint
        self.host = host
        self.priority = priority
        self.attempts = attempts
        self.expiresAt = expiresAt
        self.message = message
    }
}
