import Contract

/// The plan of receivers of webhooks that are told of slots.
struct WebhookPlan {
    var port: UInt16
    /// The number of people. Each has one webhook: number n at host n modulo the number of hosts, path `/n`.
    var people: Int
    /// The number of hosts that answer, at 127.0.1.1 and on.
    var hosts: Int
    /// The number of hosts that never answer, at 127.0.2.1 and on.
    var silent: Int
    /// The start of each slot, in order. All people are notified of all of them.
    var slots: [Timestamp]
    /// The time before a slot's start at which all people are to be notified.
    var lead: Duration
    /// The time after the last due instant that late webhooks are waited for.
    var patience: Duration

    /// The instant at which all people are to be notified of the last slot.
    var lastDue: Timestamp? { slots.last?.adding(.zero - lead) }
}
