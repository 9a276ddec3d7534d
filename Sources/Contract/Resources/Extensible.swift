/// A value of an enumeration in an answer. Later servers can add values; a value that this version does not
/// know keeps its text.
public enum Extensible<Known: RawRepresentable & Hashable & Sendable>: Hashable, Sendable
where Known.RawValue == String {
    case known(Known)
    case unknown(String)

    public init(rawValue: String) {
        self = Known(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
    }

    /// The text of the value in JSON.
    public var rawValue: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }

    /// The value; nil if this version does not know it.
    public var known: Known? {
        switch self {
        case .known(let value): value
        case .unknown: nil
        }
    }
}

extension Extensible: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Extensible: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// Whether the value is that known one; false for nil.
public func == <Known>(value: Extensible<Known>?, known: Known) -> Bool { value?.known == known }
/// Whether the value is another one than that; true for nil.
public func != <Known>(value: Extensible<Known>?, known: Known) -> Bool { value?.known != known }
