import Contract
import HTTP1
import HTTPServer
import PostgresTesting
import Testing
import Web

@testable import API
@testable import Backend
@testable import BackendTesting
@testable import Settings

@Suite struct OpenAPITests {
    @Test("every route of the whole server is described, and nothing else is")
    func routes() async throws {
        try await TestDatabase.with(copyOf: .migrated) { database in
            let backend = try await Backend(
                ServerConfiguration(cores: 1), database: database.configuration, publicURL: "http://test",
                label: "test", loops: [database.loop], background: database.loop,
                readiness: Readiness(), clock: ReferenceClock())
            // Servers call each other by /cluster, which is not for clients. The page is no interface.
            let served = backend.service.router.routes
                .filter { !$0.pattern.hasPrefix("/cluster/") && !WebPage.paths.contains($0.pattern) }
                .map { "\($0.method.rawValue) \($0.pattern)" }
            #expect(try Set(served) == Set(SchemaCheck().operations.map(\.name)))
            await backend.finish()
        }
    }

    @Test("every answer that may have a body says of what type it is")
    func mediaTypes() throws {
        guard case .object(let paths)? = try SchemaCheck().document["paths"] else {
            return #expect(Bool(false))
        }
        for path in paths {
            guard case .object(let operations) = path.value else { continue }
            for operation in operations {
                guard case .object(let answers)? = operation.value["responses"] else { continue }
                for answer in answers where !["101", "204", "304"].contains(answer.name) {
                    let isDescribed = answer.value["content"] != nil || answer.value["$ref"] != nil
                    #expect(isDescribed, "\(operation.name) \(path.name) \(answer.name)")
                }
            }
        }
    }

    @Test("the document is served as YAML too, byte for byte, without white space between its tokens")
    func yaml() async throws {
        try await RESTWorld.with { world in
            let json = try await world.send("GET", "/openapi.json")
            let yaml = try await world.send("GET", "/v1/openapi.yaml")
            #expect(
                json.headers["content-type"] == "application/json"
                    && json.body == DocumentEndpoints.description)
            #expect(
                yaml.headers["content-type"] == "application/yaml"
                    && yaml.body == DocumentEndpoints.description)
            #expect(json.headers["etag"] == yaml.headers["etag"] && json.headers["etag"] != nil)
            #expect(json.text.hasPrefix(#"{"components":{"responses":{"Problem400":{"content":{"#))
            #expect(!json.body.contains(UInt8(ascii: "\n")))
        }
    }

    @Test("every reference in the document leads somewhere, and operations have names of their own")
    func references() throws {
        let document = try SchemaCheck().document
        var references: [String] = []
        var operations: [String] = []
        func visit(_ node: JSONValue) {
            switch node {
            case .object(let members):
                for member in members {
                    if member.name == "$ref", let text = member.value.string { references.append(text) }
                    if member.name == "operationId", let text = member.value.string {
                        operations.append(text)
                    }
                    visit(member.value)
                }
            case .array(let elements): elements.forEach(visit)
            case .string, .number, .bool, .null: break
            }
        }
        visit(document)
        #expect(document["openapi"]?.string == "3.1.0")
        #expect(Set(operations).count == operations.count)
        for reference in references {
            var target: JSONValue? = document
            for name in reference.split(separator: "/").dropFirst() { target = target?[String(name)] }
            #expect(target != nil, "\(reference)")
        }
    }

}
