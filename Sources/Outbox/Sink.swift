/// A destination of outbound messages.
package protocol Sink<Message>: Sendable {
    associatedtype Message: Sendable

    /// Attempts the delivery once, within timeouts of its own. Ends early if its task is cancelled; the
    /// outcome then does not matter.
    func deliver(_ delivery: Delivery<Message>) async -> Outcome
}
