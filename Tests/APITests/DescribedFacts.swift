import Contract

/// The limits and choices that the OpenAPI document names, by where they are: `Schema.member keyword`, or
/// `?parameter keyword`.
struct DescribedFacts {
    private(set) var values: [String: Set<JSONValue>] = [:]
    private(set) var unsorted: [String] = []

    private static let keywords: Set<String> = [
        "const", "default", "enum", "examples", "maxItems", "maxLength", "maximum", "minItems", "minLength",
        "minimum", "pattern",
    ]

    init(_ document: JSONValue) {
        visit(document, at: "", below: "")
    }

    /// Whether the member holds examples of whole values. Examples of texts are the known values of a member.
    private static func isExample(_ member: JSONValue.Member) -> Bool {
        member.name == "example"
            || member.name == "examples" && member.value.array?.allSatisfy { $0.string != nil } != true
    }

    /// Notes the facts of a node; `name` is that of the member that it is the value of.
    private mutating func visit(_ node: JSONValue, at place: String, below name: String) {
        switch node {
        case .array(let elements):
            for element in elements { visit(element, at: place, below: "") }
        case .object(let members):
            let parameter = node["in"] == nil ? nil : node["name"]?.string
            let place = parameter.map { "?\($0)" } ?? place
            if members.map(\.name) != members.map(\.name).sorted() { unsorted.append(place) }
            for member in members where !Self.isExample(member) {
                switch name {
                case "schemas": visit(member.value, at: member.name, below: "")
                case "properties", "headers":
                    visit(member.value, at: "\(place).\(member.name)", below: "")
                default:
                    if Self.keywords.contains(member.name) {
                        values["\(place) \(member.name)", default: []].insert(member.value)
                    }
                    visit(member.value, at: place, below: member.name)
                }
            }
        case .string, .number, .bool, .null: break
        }
    }
}
