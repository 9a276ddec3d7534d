import Contract
import TestKit

@testable import API

/// A check of answers against the OpenAPI document.
struct SchemaCheck {
    private let schemas: SchemaDocument

    var document: JSONValue { schemas.document }

    init() throws { schemas = try SchemaDocument(DocumentEndpoints.description) }

    /// The described calls, each by its method in capitals and its path as in the router.
    var operations: [(name: String, operation: JSONValue)] {
        guard case .object(let paths)? = document["paths"] else { return [] }
        return paths.flatMap { path -> [(name: String, operation: JSONValue)] in
            guard case .object(let operations) = path.value else { return [] }
            return operations.map { ("\($0.name.uppercased()) \(path.name)", $0.value) }
        }
    }

    /// Returns the faults of an answer; empty when there are none.
    func faults(_ method: String, _ path: String, _ response: RawHTTP.Response) -> [String] {
        guard let operation = operation(method, path) else { return [] }
        guard let described = operation["responses"]?[String(response.status)].map(schemas.resolved) else {
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

    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
        schemas.faults(value, schema, at: place)
    }

    func resolved(_ node: JSONValue) -> JSONValue { schemas.resolved(node) }

    func faults(of text: String, as name: String) -> [String] { schemas.faults(of: text, as: name) }

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
}
