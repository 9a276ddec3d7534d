/// The effect of a patch on a value that may be absent.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case clear
    case set(Value)
}
