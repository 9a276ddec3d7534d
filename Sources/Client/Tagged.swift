/// A resource with the entity tag of its state. With the tag as `ifMatch`, the server refuses a change if the
/// resource has changed since (RFC 9110 §13.1.1).
public struct Tagged<Value: Sendable>: Sendable {
    /// The resource.
    public let value: Value
    /// The tag, in its quotation marks; nil from a server that sends none.
    public let tag: String?
}
