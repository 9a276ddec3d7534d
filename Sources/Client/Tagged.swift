/// A resource as it was read, with the entity tag of that state: with the tag as `ifMatch`, a change is
/// refused if another client has changed the resource since (RFC 9110 §13.1.1).
public struct Tagged<Value: Sendable>: Sendable {
    /// The resource.
    public let value: Value
    /// The tag, in its quotation marks; nil from a server that sends none.
    public let tag: String?
}
