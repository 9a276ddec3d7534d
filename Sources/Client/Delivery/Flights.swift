/// The messages that were sent and are neither acknowledged nor given up, and the callers that wait for them.
struct Flights {
    struct Flight {
        let message: OutgoingMessage
        let route: DeliveryRoute
        let firstSentAt: Duration
        /// The instant of the latest sending on the current connection; nil if there was none.
        var sentAt: Duration?
    }

    struct Waiter {
        let messageId: String
        let continuation: CheckedContinuation<Result<Delivery, ClientError>, Never>
        let deadline: Duration
    }

    private(set) var flying: [String: Flight] = [:]
    private(set) var waiters: [UInt64: Waiter] = [:]
    private(set) var aloft = 0
    private var lastWaiter: UInt64 = 0

    func isAloft(_ id: String) -> Bool { flying[id]?.sentAt != nil }

    /// Whether the message was sent on this connection, at that instant or before.
    func isOld(_ flight: Flight, _ instant: Duration) -> Bool { flight.sentAt.map { $0 <= instant } ?? false }

    /// Returns the instant of the next resend or of the next waiter's deadline.
    func due(_ configuration: ConnectionConfiguration) -> Duration? {
        let sent = flying.values.compactMap(\.sentAt).min().map { $0 + configuration.resendInterval }
        let patience = waiters.values.map(\.deadline).min()
        return [sent, patience].compactMap(\.self).min()
    }

    /// Records that a message is sent now, for the first time or again.
    mutating func sent(_ message: OutgoingMessage, _ route: DeliveryRoute, at now: Duration) {
        if !isAloft(message.id) { aloft += 1 }
        let firstSentAt = flying[message.id]?.firstSentAt ?? now
        flying[message.id] = Flight(
            message: message, route: route, firstSentAt: firstSentAt, sentAt: now)
    }

    mutating func remove(_ id: String) -> Flight? {
        if isAloft(id) { aloft -= 1 }
        return flying.removeValue(forKey: id)
    }

    /// Marks a message to be sent again.
    mutating func land(_ id: String) {
        if isAloft(id) { aloft -= 1 }
        flying[id]?.sentAt = nil
    }

    mutating func makeNumber() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    mutating func add(_ waiter: Waiter, _ number: UInt64) { waiters[number] = waiter }

    mutating func removeWaiter(_ number: UInt64) -> Waiter? { waiters.removeValue(forKey: number) }

    func waiters(for id: String) -> [UInt64] {
        waiters.filter { $0.value.messageId == id }.map(\.key)
    }
}
