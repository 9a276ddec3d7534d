/// A reader of the members of a body, which collects all faults.
///
/// Each reading method returns a placeholder if the member is missing or wrong. `finish` throws then, so no
/// placeholder is used.
public struct RequestReader: Sendable {
    /// The faults that were found so far.
    public private(set) var errors: [FieldError] = []
    private let members: [JSONValue.Member]
    private let isObject: Bool
    private var known: [String] = []

    public init(_ json: JSONValue) {
        if case .object(let members) = json {
            self.members = members
            isObject = true
        } else {
            members = []
            isObject = false
            errors = [FieldError(pointer: "", detail: "The body has to be an object, not \(json.kind).")]
        }
    }

    /// Creates a reader of a body. Throws `RequestError.unreadable` for bytes that are not JSON.
    package init(bytes: [UInt8]) throws(RequestError) {
        do {
            self.init(try JSONValue.parse(bytes, maximumDepth: Limits.depth))
        } catch {
            throw .unreadable(error)
        }
    }

    /// Reads a required text.
    public mutating func text(_ name: String, _ rule: TextRule) -> String {
        required(name, rule.read) ?? ""
    }

    /// Reads a text that may be left out or null; both give nil.
    public mutating func optionalText(_ name: String, _ rule: TextRule) -> String? {
        converted(name, orNull: true, rule.read)
    }

    /// Reads a text that may be left out, but not null.
    public mutating func replacement(_ name: String, _ rule: TextRule) -> String? {
        converted(name, rule.read)
    }

    /// Reads a text that may be left out to keep the old value, or null to clear it.
    public mutating func change(_ name: String, _ rule: TextRule) -> Change<String> {
        if value(name) == .null { return .clear }
        return converted(name, rule.read).map { .set($0) } ?? .keep
    }

    /// Reads one of a few words, which may be left out to keep the old value, or null to clear it.
    public mutating func change<Value: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: Value.Type
    ) -> Change<Value> {
        guard let value = value(name) else { return .keep }
        if value == .null { return .clear }
        if let known = value.string.flatMap({ Value(rawValue: $0) }) { return .set(known) }
        let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
        refuse(name, "\(name) has to be one of \(words), or null to take it back.")
        return .keep
    }

    /// Reads a required member as it is; nil if it is missing, and then `finish` throws.
    public mutating func member(_ name: String) -> JSONValue? {
        let value = value(name)
        if value == nil { missing(name, "\(name) is missing.") }
        return value
    }

    /// Reads a required id.
    public mutating func id(_ name: String) -> Identifier {
        guard let value = value(name) else {
            missing(name, "\(name) is missing.")
            return Identifier(value: 0)
        }
        guard let id = value.string.flatMap({ Identifier($0) }) else {
            refuse(name, "\(name) has to be an id, like 0198c0de-0000-7000-8000-000000000001.")
            return Identifier(value: 0)
        }
        return id
    }

    /// Reads a time that may be left out or null; both give nil.
    public mutating func optionalTime(_ name: String) -> Timestamp? {
        guard let value = value(name), value != .null else { return nil }
        guard let time = value.string.flatMap({ Timestamp($0) }) else {
            refuse(name, "\(name) has to be a time with an offset as in RFC 3339, like 2027-03-28T09:30:00Z.")
            return nil
        }
        return time
    }

    /// Reads a text that `read` converts; nil if it is left out, or null with `orNull`.
    public mutating func converted<Value>(
        _ name: String, orNull: Bool = false, _ read: (String) throws(ValidationError) -> Value
    ) -> Value? {
        guard let value = value(name), !(orNull && value == .null) else { return nil }
        guard let text = value.string else {
            refuse(name, "\(name) has to be a text, not \(value.kind).")
            return nil
        }
        do throws(ValidationError) {
            return try read(text)
        } catch {
            refuse(name, error.text)
            return nil
        }
    }

    /// Reads a required text that `read` converts; nil if it is missing or wrong, and then `finish` throws.
    public mutating func required<Value>(
        _ name: String, _ read: (String) throws(ValidationError) -> Value
    ) -> Value? {
        _ = member(name)
        return converted(name, read)
    }

    /// Reads a truth value that may be left out, but not null.
    public mutating func flag(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else {
            refuse(name, "\(name) has to be true or false, not \(value.kind).")
            return nil
        }
        return flag
    }

    /// Reads a whole number that may be left out or null; both give nil.
    public mutating func optionalInteger(_ name: String) -> Int? {
        guard let value = value(name), value != .null else { return nil }
        guard let number = value.int.flatMap({ Int(exactly: $0) }) else {
            refuse(name, "\(name) has to be a whole number.")
            return nil
        }
        return number
    }

    /// Reads a list; nil if it is left out or null. No two elements may be equal.
    public mutating func list<Element: Hashable>(
        _ name: String, _ count: ClosedRange<Int>, of element: (JSONValue) throws(ValidationError) -> Element
    ) -> [Element]? {
        guard let value = value(name), value != .null else { return nil }
        guard let values = value.array else {
            refuse(name, "\(name) has to be a list, not \(value.kind).")
            return []
        }
        guard count.contains(values.count) else {
            refuse(
                name, "\(name) has \(count.lowerBound) to \(count.upperBound) entries, not \(values.count).")
            return []
        }
        var seen: Set<Element> = []
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            do throws(ValidationError) {
                let read = try element(value)
                if !seen.insert(read).inserted { throw ValidationError("This is in the list twice.") }
                elements.append(read)
            } catch {
                errors.append(FieldError(pointer: "\(Self.pointer(name))/\(index)", detail: error.text))
            }
        }
        return elements
    }

    /// Records a fault of a member, or of the whole body if the name is `""`.
    package mutating func refuse(_ name: String, _ detail: Text) {
        errors.append(FieldError(pointer: name.isEmpty ? "" : Self.pointer(name), detail: detail))
    }

    /// Records that a member is missing, unless the body is no object, which is a fault already.
    package mutating func missing(_ name: String, _ detail: Text) {
        if isObject { refuse(name, detail) }
    }

    /// Throws all faults, unknown members included. It is called last.
    public mutating func finish() throws(RequestError) {
        for member in members where !known.contains(member.name) {
            if errors.count >= Limits.fieldErrors { break }
            let options = known.joined(separator: ", ")
            let detail: Text =
                known.isEmpty
                ? "There is no member \(member.name) here; this call takes none."
                : "There is no member \(member.name) here; there is \(options)."
            errors.append(FieldError(pointer: Self.pointer(member.name), detail: detail))
        }
        if !errors.isEmpty { throw .invalid(Array(errors.prefix(Limits.fieldErrors))) }
    }

    /// Returns the pointer to a member; a tilde and a slash in its name are escaped (RFC 6901 §3).
    public static func pointer(_ name: String) -> String {
        var pointer = "/"
        for character in name.unicodeScalars {
            switch character {
            case "~": pointer += "~0"
            case "/": pointer += "~1"
            default: pointer.unicodeScalars.append(character)
            }
        }
        return pointer
    }

    private mutating func value(_ name: String) -> JSONValue? {
        if !known.contains(name) { known.append(name) }
        return members.first { $0.name == name }?.value
    }
}
