/// The body of a request, which the client writes and the server reads.
public protocol RequestBody: Encodable, Hashable, Sendable {
    /// Reads every member; throws `RequestError.invalid` with all faults at once.
    init(json: JSONValue) throws(RequestError)
}

extension RequestBody {
    public init(bytes: [UInt8]) throws(RequestError) {
        let json: JSONValue
        do {
            json = try JSONValue.parse(bytes, maximumDepth: Limits.depth)
        } catch {
            throw .unreadable(error)
        }
        try self.init(json: json)
    }
}

/// The effect of a patch on a value that may be absent.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    case keep
    case clear
    case set(Value)

    /// Returns the value after the patch.
    package func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .clear: nil
        case .set(let new): new
        }
    }
}
