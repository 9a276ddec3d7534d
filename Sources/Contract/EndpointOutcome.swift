/// The outcome of one attempt to deliver.
public struct EndpointOutcome: Codable, Hashable, Sendable {
    /// The `webhook-id` of a webhook: the same for all attempts to deliver one notification.
    public var id: String
    /// The type of the notification, or `test`.
    public var type: String
    public var at: Timestamp
    /// The kind of outcome: `delivered`, `retried`, `exhausted`, `refused`, `expired` or `gone`.
    public var outcome: String
    /// A description for people.
    public var detail: String
    /// The duration of the attempt; left out if nothing was sent.
    public var milliseconds: Int64?

    public init(
        id: String, type: String, at: Timestamp, outcome: String, detail: String, milliseconds: Int64?
    ) {
        self.id = id
        self.type = type
        self.at = at
        self.outcome = outcome
        self.detail = detail
        self.milliseconds = milliseconds
    }
}
