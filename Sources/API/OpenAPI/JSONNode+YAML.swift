import Contract

extension JSONNode {
    /// The value as a document of YAML 1.2, in block style. Texts are in double quotes as in JSON, which YAML
    /// reads alike.
    var yaml: [UInt8] {
        var lines: [UInt8] = []
        append(to: &lines, indent: 0, beginsLine: true)
        return lines
    }

    private var isEmpty: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        case .string, .integer, .bool: false
        }
    }

    /// Appends the value, behind what its line begins with.
    private func append(to lines: inout [UInt8], indent: Int, beginsLine: Bool = false) {
        let margin = repeatElement(UInt8(ascii: " "), count: 2 * indent)
        let isBlock =
            switch self {
            case .object, .array: !isEmpty
            case .string, .integer, .bool: false
            }
        if !beginsLine { lines.append(UInt8(ascii: isBlock ? "\n" : " ")) }
        switch self {
        case .object(let members) where isBlock:
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                lines.append(contentsOf: margin)
                lines.append(jsonString: name)
                lines.append(UInt8(ascii: ":"))
                value.append(to: &lines, indent: indent + 1)
            }
        case .array(let elements) where isBlock:
            for element in elements {
                lines.append(contentsOf: margin)
                lines.append(UInt8(ascii: "-"))
                element.append(to: &lines, indent: indent + 1)
            }
        default:
            write(json: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
    }
}
