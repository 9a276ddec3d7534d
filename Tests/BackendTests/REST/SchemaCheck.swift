import Contract

@testable import API
@testable import Backend

/// A check of answers against the OpenAPI document, as far as its schemas go: types, members, choices,
/// references.
struct SchemaCheck {
    let document: JSONValue

    init() throws { document = try JSONValue.parse(OpenAPI.bytes, maximumDepth: 64) }

    /// Returns the faults of an answer; empty when there are none.
    func faults(_ method: String, _ path: String, _ response: RawHTTP.Response) -> [String] {
        guard let operation = operation(method, path) else { return [] }
        guard let described = operation["responses"]?[String(response.status)].map(resolved) else {
            return ["\(method) \(path) does not describe \(response.status)"]
        }
        let mediaType = response.headers["content-type"].map { String($0.prefix { $0 != ";" }) }
        guard let mediaType, !response.body.isEmpty else { return [] }
        guard let schema = described["content"]?[mediaType]?["schema"] else {
            return ["\(method) \(path) does not describe \(mediaType) for \(response.status)"]
        }
        guard mediaType.hasSuffix("json") else { return [] }
        guard let value = try? response.json() else { return ["no JSON: \(response.text)"] }
        return faults(value, schema, at: "")
    }

    private func operation(_ method: String, _ path: String) -> JSONValue? {
        guard case .object(let paths)? = document["paths"] else { return nil }
        let parts = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
        let match = paths.first { template in
            let segments = template.name.split(separator: "/", omittingEmptySubsequences: false)
            return segments.count == parts.count
                && zip(segments, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        return match?.value[method.lowercased()]
    }

    private func resolved(_ node: JSONValue) -> JSONValue {
        guard let reference = node["$ref"]?.string else { return node }
        var target = document
        for name in reference.split(separator: "/").dropFirst() {
            target = target[String(name)] ?? .null
        }
        return target
    }

    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        let schema = resolved(schema)
        if let options = schema["oneOf"]?.array, schema["type"] == nil {
            let matching = options.filter { faults(value, $0, at: place).isEmpty }
            return matching.count == 1 ? [] : ["\(place): matches \(matching.count) of the choices"]
        }
        guard let type = schema["type"] else { return ["\(place): the schema has no type"] }
        let types = type.array?.compactMap(\.string) ?? [type.string ?? ""]
        let kind = Self.kind(of: value)
        guard types.contains(kind) else { return ["\(place): \(kind) instead of \(types)"] }
        if let choices = schema["enum"]?.array, !choices.contains(value) {
            return ["\(place): not one of the choices"]
        }
        switch value {
        case .object(let members): return faults(members, schema, at: place)
        case .array(let elements):
            let items = schema["items"] ?? .null
            return elements.enumerated().flatMap { faults($1, items, at: "\(place)/\($0)") }
        case .string, .number, .bool, .null: return []
        }
    }

    private func faults(_ members: [JSONValue.Member], _ schema: JSONValue, at place: String) -> [String] {
        var faults: [String] = []
        for member in members {
            if let described = schema["properties"]?[member.name] {
                faults += self.faults(member.value, described, at: "\(place)/\(member.name)")
            } else {
                faults.append("\(place)/\(member.name) is not described")
            }
        }
        for name in (schema["required"]?.array ?? []).compactMap(\.string) {
            if !members.contains(where: { $0.name == name }) { faults.append("\(place)/\(name) is missing") }
        }
        return faults
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
