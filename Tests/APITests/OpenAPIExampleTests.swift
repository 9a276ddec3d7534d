import Contract
import Outbox
import Testing

@testable import BackendTesting

@Suite("The tags, descriptions and examples of the OpenAPI document")
struct OpenAPIExampleTests {
    private static let check = Result { try SchemaCheck() }

    private static func members(_ value: JSONValue?) -> [JSONValue.Member] {
        guard case .object(let members)? = value else { return [] }
        return members
    }

    @Test("every schema has a description, and examples that it allows")
    func schemas() throws {
        let check = try Self.check.get()
        let schemas = Self.members(check.document["components"]?["schemas"])
        #expect(schemas.count > 100)
        for schema in schemas {
            #expect(schema.value["description"]?.string?.isEmpty == false, "\(schema.name)")
            let examples = schema.value["examples"]?.array ?? []
            #expect(!examples.isEmpty, "\(schema.name)")
            for example in examples {
                #expect(check.faults(example, schema.value, at: schema.name) == [])
            }
        }
    }

    @Test("every operation has a tag of the document, a summary and a description")
    func operations() throws {
        let check = try Self.check.get()
        let tags = check.document["tags"]?.array ?? []
        for tag in tags { #expect(tag["description"]?.string?.isEmpty == false) }
        let names = Set(tags.compactMap { $0["name"]?.string })
        let webhook = try #require(check.document["webhooks"]?["notification"]?["post"])
        for (name, operation) in check.operations + [(name: "webhook", operation: webhook)] {
            let used = (operation["tags"]?.array ?? []).compactMap(\.string)
            #expect(used.count == 1 && names.isSuperset(of: used), "\(name)")
            #expect((1...60).contains(operation["summary"]?.string?.count ?? 0), "\(name)")
            #expect(operation["description"]?.string?.isEmpty == false, "\(name)")
        }
    }

    @Test("every body and every successful answer has an example that its schema allows")
    func bodies() throws {
        let check = try Self.check.get()
        for (name, operation) in check.operations {
            var contents = Self.members(operation["requestBody"]?["content"])
            for answer in Self.members(operation["responses"]) where answer.name.hasPrefix("2") {
                contents += Self.members(answer.value["content"])
            }
            for content in contents {
                guard let example = content.value["example"] else {
                    Issue.record("\(name) has no example of \(content.name)")
                    continue
                }
                guard content.name == "application/json" else { continue }
                #expect(check.faults(example, content.value["schema"] ?? .null, at: name) == [])
            }
        }
    }

    @Test("notifications and messages of webhooks are whole objects, one for each type")
    func types() throws {
        let check = try Self.check.get()
        let types = NotificationType.allCases.map(\.rawValue)
        let webhook = types + [DeliveryMessage.testType, DeliveryMessage.challengeType]
        for (name, types) in [("KnownNotification", types), ("KnownWebhookMessage", webhook)] {
            let schema = try #require(check.document["components"]?["schemas"]?[name])
            let mapping = Self.members(schema["discriminator"]?["mapping"])
            #expect(Set(mapping.map(\.name)) == Set(types), "\(name)")
            for choice in mapping {
                let described = check.resolved(.object([.init(name: "$ref", value: choice.value)]))
                #expect(described["properties"]?["type"]?["enum"] == .array([.string(choice.name)]))
            }
        }
    }
}
