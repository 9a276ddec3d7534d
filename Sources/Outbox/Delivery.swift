package import Contract

/// A message that has to reach an endpoint.
package struct Delivery<Message: Sendable>: Sendable {
    package let id: Int64
    package let endpoint: Identifier
    /// The user who owns the endpoint; users share the worker.
    package let user: Identifier
    /// The name of the host or push service. Deliveries with the same name share a limit and a breaker.
    package let host: String
    /// The priority; deliveries with lower values go first.
    package let priority: Int
    /// The number of earlier attempts.
    package let attempts: Int
    /// The instant from which the delivery is expired, and is not sent any more; nil: never.
    package let expiresAt: Timestamp?
    /// The instant at which the endpoint was registered, as it was when the delivery was claimed; nil:
    /// unknown.
    package let registeredAt: Timestamp?
    package let message: Message

    package init(
        id: Int64, endpoint: Identifier, user: Identifier? = nil, host: String, priority: Int = 0,
        attempts: Int, expiresAt: Timestamp?, registeredAt: Timestamp? = nil, message: Message
    ) {
        self.id = id
        self.endpoint = endpoint
        self.user = user ?? endpoint
        self.host = host
        self.priority = priority
        self.attempts = attempts
        self.expiresAt = expiresAt
        self.registeredAt = registeredAt
        self.message = message
    }
}
