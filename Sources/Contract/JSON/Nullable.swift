/// A member that is written as null if it has no value. Other members are left out then.
@propertyWrapper
public struct Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws { wrappedValue = try Value?(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// The code that the compiler makes for members calls these methods, since no others are as specific.

extension KeyedDecodingContainer {
    /// Reads a member that may be missing too.
    func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
        Nullable(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes a member of a patch; none to keep the value.
    mutating func encode<Value: Encodable>(_ change: Change<Value>, forKey key: Key) throws {
        switch change {
        case .keep: break
        case .clear: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}

extension Change: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws { try applied(to: nil).encode(to: encoder) }
}
