import Contract

/// What `bench webhooks` is to do.
struct WebhookPlan {
    var port: UInt16
    /// Each has one webhook: number n at host n modulo the number of hosts, path `/n`.
    var people: Int
    /// 127.0.1.1 and on: each answers.
    var hosts: Int
    /// 127.0.2.1 and on: nobody answers there.
    var silent: Int
    /// The start of each slot, in order. Everybody is told of all of them.
    var slots: [Timestamp]
    /// How long before a slot's start everybody is to be told.
    var lead: Duration
    /// After the last instant due, for whoever has not been told.
    var patience: Duration

    /// When everybody is to be told of the last slot.
    var lastDue: Timestamp? { slots.last?.adding(.zero - lead) }
}
