/// The body of a request, which the client writes and the server reads.
public protocol RequestBody: Encodable, Hashable, Sendable {
    /// The members of the largest body. If members exclude each other, it has the larger ones.
    static var members: [BodyMember] { get }
    /// Reads every member. The reader collects the faults, and is finished afterwards.
    init(_ reader: inout RequestReader) throws(RequestError)
}

extension RequestBody {
    /// The most bytes that a body needs with every character escaped, rounded up.
    package static var maximumBytes: Int { BodyMember.maximumBytes(members) }

    /// Reads a body. Throws `RequestError.unreadable` for bytes that are not JSON, or `invalid` with all
    /// faults.
    public init(bytes: [UInt8]) throws(RequestError) {
        var reader = try RequestReader(bytes: bytes)
        try self.init(&reader)
        try reader.finish()
    }
}

/// The effect of a patch on a value that may be absent.
public enum Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value stays. The body has no such member.
    case keep
    /// The value is removed. The member is null.
    case clear
    /// The value is replaced.
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
