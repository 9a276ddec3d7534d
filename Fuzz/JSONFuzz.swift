@testable import Contract

/// Reads and writes a JSON text.
///
/// Oracle: white space around a text means nothing; a value survives being written and read; it is no deeper
/// than the limit and names no member twice; an error lies within the text.
enum JSONFuzz {
    static func test(_ input: [UInt8]) {
        do throws(JSONError) {
            let value = try JSONValue.parse(input)
            expect(
                (try? JSONValue.parse([0x20, 0x0A] + input + [0x09])) == value, "white space means something")
            expect(depth(of: value) <= Limits.depth, "a value is too deep")
            var written: [UInt8] = []
            write(value, to: &written)
            expect((try? JSONValue.parse(written)) == value, "a value changed in writing")
        } catch {
            expect((0...input.count).contains(error.offset), "an error lies outside of the text")
        }
    }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .object(let members):
            expect(Set(members.map(\.name)).count == members.count, "a member comes twice")
            return 1 + (members.map { depth(of: $0.value) }.max() ?? 0)
        case .array(let elements): return 1 + (elements.map { depth(of: $0) }.max() ?? 0)
        case .string, .number, .bool, .null: return 0
        }
    }

    private static func write(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .object(let members):
            bytes.append(contentsOf: "{".utf8)
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(contentsOf: ",".utf8) }
                bytes.append(jsonString: member.name)
                bytes.append(contentsOf: ":".utf8)
                write(member.value, to: &bytes)
            }
            bytes.append(contentsOf: "}".utf8)
        case .array(let elements):
            bytes.append(contentsOf: "[".utf8)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(contentsOf: ",".utf8) }
                write(element, to: &bytes)
            }
            bytes.append(contentsOf: "]".utf8)
        case .string(let text): bytes.append(jsonString: text)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .bool(let flag): bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
        case .null: bytes.append(contentsOf: "null".utf8)
        }
    }
}
