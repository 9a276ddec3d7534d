import Contract
import HTTPServer
import Testing

@testable import API
@testable import BackendTesting
@testable import Database

@Suite("The problems, keys and export of the OpenAPI document")
struct OpenAPIProblemTests {
    private static func names(_ value: JSONValue?) -> Set<String> {
        guard case .object(let members)? = value else { return [] }
        return Set(members.map(\.name))
    }

    @Test("are those of the code, with the header fields that a status always has")
    func problems() throws {
        let responses = try SchemaCheck().document["components"]?["responses"]
        let byStatus = Dictionary(grouping: ProblemName.allCases, by: \.status)
        #expect(Self.names(responses) == Set(byStatus.keys.map { "Problem\($0)" }))
        for (status, names) in byStatus {
            let response = responses?["Problem\(status)"]
            let lines = names.map { "`\($0.path)`: \($0.title). \($0.cause) \($0.fix)" }
            #expect(response?["description"]?.string == lines.joined(separator: "\n\n"))
            let field: Set<String> =
                switch status {
                case 401: ["WWW-Authenticate"]
                case 405: ["Allow"]
                case 429, 503: ["Retry-After"]
                default: []
                }
            #expect(Self.names(response?["headers"]) == field.union(["Content-Language", "Vary"]))
        }
    }

    /// The problems that every call can answer.
    private static let everywhere: [ProblemName] = [
        .unreadable, .requestTimeout, .uriTooLong, .expectationFailed, .headerTooLarge, .contentTooLarge,
        .quotaExceeded, .internalError, .notImplemented, .unavailable, .httpVersion,
    ]

    @Test("of every call are described, and those of a body and of a token if a call takes one")
    func everyCall() throws {
        for (name, operation) in try SchemaCheck().operations {
            var problems = Self.everywhere
            let isOpen = operation["security"]?.array == []
            if operation["requestBody"] != nil || operation["security"] == nil {
                problems += [.unsupportedMediaType, .invalid]
            }
            if !isOpen { problems += [.unauthenticated, .crossSite] }
            let missing = Set(problems.map { "\($0.status)" }).subtracting(Self.names(operation["responses"]))
            #expect(missing == [], "\(name)")
        }
    }

    @Test("every POST but that of a session takes a key, and its replayed answers have a header field")
    func keys() throws {
        for (name, operation) in try SchemaCheck().operations where name.hasPrefix("POST ") {
            let key = operation["parameters"]?.array?.first {
                $0["name"]?.string == IdempotencyKeyField.name
            }
            guard name != "POST \(Routes.session)" else {
                #expect(key == nil)
                continue
            }
            let open = [Routes.users, Routes.recover, Routes.signIn]
            let isOpen = open.contains { name == "POST \($0)" }
            let least = isOpen ? IdempotencyKeyField.leastWithoutAccount : 1
            let pattern = OpenAPILimitTests.keyPattern(least: least)
            #expect(key?["schema"]?["pattern"]?.string == pattern, "\(name)")
            let responses = operation["responses"]
            #expect(responses?["409"] != nil && responses?["422"] != nil, "\(name)")
            for status in Self.names(responses) where status.hasPrefix("2") {
                let field = responses?[status]?["headers"]?[HTTPResponse.replayedField]
                #expect(field != nil, "\(name) \(status)")
            }
        }
    }

    /// Returns a schema with its references resolved, without its descriptions and examples.
    private static func plain(_ schema: JSONValue, in check: SchemaCheck) -> JSONValue {
        switch check.resolved(schema) {
        case .object(let members):
            let kept = members.filter {
                $0.name != "examples" && ($0.name != "description" || $0.value.string == nil)
            }
            return .object(
                kept.map { JSONValue.Member(name: $0.name, value: plain($0.value, in: check)) })
        case .array(let elements): return .array(elements.map { plain($0, in: check) })
        case let value: return value
        }
    }

    @Test("are the choices of the schema by their type, and each response has an example of each")
    func examples() throws {
        let check = try SchemaCheck()
        let components = check.document["components"]
        let mapping = components?["schemas"]?["KnownProblem"]?["discriminator"]?["mapping"]
        #expect(Self.names(mapping) == Set(ProblemName.allCases.map(\.path)))
        for (status, problems) in Dictionary(grouping: ProblemName.allCases, by: \.status) {
            let media = components?["responses"]?["Problem\(status)"]?["content"]?[Problem.mediaType]
            #expect(Self.names(media?["examples"]) == Set(problems.map(\.rawValue)), "\(status)")
            for problem in problems {
                let example = try #require(media?["examples"]?[problem.rawValue]?["value"])
                #expect(check.faults(example, media?["schema"] ?? .null, at: problem.rawValue) == [])
                #expect(example["type"]?.string == problem.path)
                #expect(example["title"]?.string == problem.title.description, "\(problem)")
                #expect(example["status"]?.int == Int64(status), "\(problem)")
            }
        }
    }

    @Test("the schema of the export has what the list of stored data exports")
    func export() throws {
        func schema(_ kind: AccountTable.Kind) -> String {
            switch kind {
            case .id: #"{"format":"uuid","type":"string"}"#
            case .text: #"{"type":"string"}"#
            case .texts: #"{"items":{"type":"string"},"type":"array"}"#
            case .time, .slot, .start: #"{"format":"date-time","type":"string"}"#
            case .number: #"{"type":"integer"}"#
            case .flag: #"{"type":"boolean"}"#
            }
        }
        var (members, required) = ([#""exportedAt":\#(schema(.time))"#], [#""exportedAt""#])
        for table in AccountData.tables where table.isExported {
            var columns = table.shown.map { #""\#($0.member)":\#(schema($0.kind))"# }
            if table.shown.contains(where: { $0.kind == .slot }) {
                columns.append(#""minutes":\#(schema(.number))"#)
            }
            let properties = columns.sorted().joined(separator: ",")
            let row = #"{"properties":{\#(properties)},"required":[],"type":"object"}"#
            if table.key.isEmpty {
                members.append(#""\#(table.member)":\#(row)"#)
            } else {
                members.append(#""\#(table.member)":{"items":\#(row),"type":"array"}"#)
                required.append(#""\#(table.member)""#)
            }
        }
        let expected = """
            {"properties":{\(members.sorted().joined(separator: ","))},\
            "required":[\(required.sorted().joined(separator: ","))],"type":"object"}
            """
        let check = try SchemaCheck()
        let described = try #require(check.document["components"]?["schemas"]?["AccountExport"])
        #expect(try JSONValue.parse(Array(expected.utf8)) == Self.plain(described, in: check))
    }
}
