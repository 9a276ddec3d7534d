import Contract

extension JSONNode {
    /// The value as a document of YAML 1.2, in block style. Texts are in double quotes as in JSON, which YAML
    /// reads alike.
    var yaml: [UInt8] {
        get throws {
            var lines: [UInt8] = []
            try append(to: &lines, indent: 0, after: "")
            return lines
        }
    }

    private var isEmpty: Bool {
        switch self {
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        case .string, .integer, .bool: false
        }
    }

    /// Appends the value, after what its line begins with.
    private func append(to lines: inout [UInt8], indent: Int, after start: String) throws {
        let margin = String(repeating: "  ", count: indent)
        switch self {
        case .object(let members) where !isEmpty:
            if !start.isEmpty { lines += Array((start + "\n").utf8) }
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let key = margin + String(decoding: try JSON.encode(name), as: UTF8.self) + ":"
                try value.append(to: &lines, indent: indent + 1, after: key)
            }
        case .array(let elements) where !isEmpty:
            if !start.isEmpty { lines += Array((start + "\n").utf8) }
            for element in elements {
                try element.append(to: &lines, indent: indent + 1, after: margin + "-")
            }
        default:
            lines += Array((start + " ").utf8) + (try JSON.encode(self)) + [UInt8(ascii: "\n")]
        }
    }
}
