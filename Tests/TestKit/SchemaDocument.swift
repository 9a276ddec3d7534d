package import Contract

/// A document with JSON Schemas, against which values are checked: as far as the schemas of this service go.
///
/// Types, choices, members, elements, references, bounds of numbers and texts, and the formats `uuid` and
/// `date-time`. Answers are open for later versions, and this version has to describe all that it sends: an
/// object has no members but those that its schema names, a text with examples is one of them, and of several
/// schemas one that describes members has to fit. A choice for types of later versions never fits. A
/// `discriminator` selects one choice.
package struct SchemaDocument: Sendable {
    package let document: JSONValue
    /// The component schemas by the references to them.
    private let components: [String: JSONValue]

    package init(_ bytes: [UInt8]) throws {
        document = try JSONValue.parse(bytes, maximumDepth: 64)
        guard case .object(let schemas)? = document["components"]?["schemas"] else {
            components = [:]
            return
        }
        components = Dictionary(schemas.map { (Self.components + $0.name, $0.value) }) { first, _ in first }
    }

    private static let components = "#/components/schemas/"

    /// Returns the faults of a JSON text against the component schema of that name; empty if there are none.
    package func faults(of text: String, as name: String) -> [String] {
        guard let schema = components[Self.components + name] else { return ["no schema \(name)"] }
        guard let value = try? JSONValue.parse(Array(text.utf8), maximumDepth: 64) else {
            return ["no JSON: \(text)"]
        }
        return faults(value, schema, at: "")
    }

    package func resolved(_ node: JSONValue) -> JSONValue {
        guard let reference = node["$ref"]?.string else { return node }
        if let component = components[reference] { return component }
        var target = document
        for name in reference.split(separator: "/").dropFirst() {
            target = target[String(name)] ?? .null
        }
        return target
    }

    package func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        let schema = resolved(schema)
        if let discriminator = schema["discriminator"] {
            return faults(value, by: discriminator, of: schema["oneOf"]?.array ?? [], at: place)
        }
        if let options = schema["oneOf"]?.array, schema["type"] == nil {
            let possible = options.map(resolved).filter { Self.mayHaveType(of: value, $0) }
            let results = possible.map { faults(value, $0, at: place) }
            let matching = results.count { $0.isEmpty }
            if matching == 1 { return [] }
            let nearest = results.min { $0.count < $1.count } ?? []
            return ["\(place): matches \(matching) of the choices; nearest: \(nearest)"]
        }
        if let options = schema["anyOf"]?.array, schema["type"] == nil {
            let described = options.map(resolved).filter {
                ($0["properties"] != nil || $0["type"]?.string != "object") && !Self.isForLaterTypes($0)
            }
            let results = described.filter { Self.mayHaveType(of: value, $0) }.map {
                faults(value, $0, at: place)
            }
            return results.min { $0.count < $1.count } ?? ["\(place): no choice"]
        }
        guard let type = schema["type"] else { return ["\(place): the schema has no type"] }
        let types = type.array?.compactMap(\.string) ?? [type.string ?? ""]
        let kind = Self.kind(of: value)
        guard types.contains(kind) else { return ["\(place): \(kind) instead of \(types)"] }
        if let choices = schema["enum"]?.array, !choices.contains(value) {
            return ["\(place): not one of the choices"]
        }
        if case .string = value, let examples = schema["examples"]?.array, !examples.contains(value) {
            return ["\(place): not one of the known values"]
        }
        switch value {
        case .object(let members): return faults(members, schema, at: place)
        case .array(let elements):
            let items = schema["items"] ?? .null
            return elements.enumerated().flatMap { faults($1, items, at: "\(place)/\($0)") }
        case .string(let text): return faults(text, schema, at: place)
        case .number:
            let isInBounds =
                value.int.map { number in
                    number >= schema["minimum"]?.int ?? .min && number <= schema["maximum"]?.int ?? .max
                } ?? true
            return isInBounds ? [] : ["\(place): out of bounds"]
        case .bool, .null: return []
        }
    }

    /// Returns the faults of a value against the choice that its discriminating member names.
    private func faults(
        _ value: JSONValue, by discriminator: JSONValue, of choices: [JSONValue], at place: String
    ) -> [String] {
        let name = discriminator["propertyName"]?.string ?? ""
        guard let type = value[name]?.string, let chosen = discriminator["mapping"]?[type]?.string else {
            return ["\(place): \(name) selects no choice"]
        }
        guard choices.contains(where: { $0["$ref"]?.string == chosen }), let schema = components[chosen]
        else {
            return ["\(place): \(chosen) is not one of the choices"]
        }
        return faults(value, schema, at: place)
    }

    /// Whether the schema describes objects whose `type` a later version adds: its `type` excludes the known
    /// ones.
    private static func isForLaterTypes(_ schema: JSONValue) -> Bool {
        schema["properties"]?["type"]?["not"] != nil
    }

    /// Whether the value is not of another `type` than the schema's.
    private static func mayHaveType(of value: JSONValue, _ schema: JSONValue) -> Bool {
        guard let type = value["type"], let choices = schema["properties"]?["type"]?["enum"]?.array else {
            return true
        }
        return choices.contains(type)
    }

    private func faults(_ members: [JSONValue.Member], _ schema: JSONValue, at place: String) -> [String] {
        var faults: [String] = []
        // A schema that names no members, as that of the document itself, leaves them open.
        if schema["type"]?.string == "object" && schema["properties"] == nil { return [] }
        for member in members {
            if let described = schema["properties"]?[member.name] {
                faults += self.faults(member.value, described, at: "\(place)/\(member.name)")
            } else {
                faults.append("\(place)/\(member.name) is not described")
            }
        }
        var required = (schema["required"]?.array ?? []).compactMap(\.string)
        for member in members {
            required += (schema["dependentRequired"]?[member.name]?.array ?? []).compactMap(\.string)
        }
        for name in required {
            if !members.contains(where: { $0.name == name }) { faults.append("\(place)/\(name) is missing") }
        }
        return faults
    }

    private func faults(_ text: String, _ schema: JSONValue, at place: String) -> [String] {
        let length = Int64(text.unicodeScalars.count)
        if length < schema["minLength"]?.int ?? 0 || length > schema["maxLength"]?.int ?? .max {
            return ["\(place): \(length) characters"]
        }
        let hasFormat =
            switch schema["format"]?.string {
            case "uuid": Identifier(text) != nil
            case "date-time": Timestamp(text) != nil
            default: true
            }
        return hasFormat ? [] : ["\(place): \(text) has another format"]
    }

    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: "integer"
        case .bool: "boolean"
        case .null: "null"
        }
    }
}
