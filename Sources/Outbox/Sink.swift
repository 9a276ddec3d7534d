/// Carries messages out of the house.
package protocol Sink<Message>: Sendable {
    associatedtype Message: Sendable

    /// Tries once, within bounds of time of its own. Ends early where its task is cancelled; the outcome then
    /// does not matter.
    func deliver(_ delivery: Delivery<Message>) async -> Outcome
}
