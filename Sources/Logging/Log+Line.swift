package import CLinux
import Glibc

extension Log {
    /// Returns an event as one line, without a line feed.
    package static func line(
        _ level: Level, _ message: String, _ fields: Fields, at time: timespec, format: Format
    ) -> String {
        switch format {
        case .text: textLine(level, message, fields, at: time)
        case .json: jsonLine(level, message, fields, at: time)
        }
    }

    /// Returns a line such as `2026-01-02T03:04:05Z info  message key=value`.
    private static func textLine(
        _ level: Level, _ message: String, _ fields: Fields, at time: timespec
    ) -> String {
        let gap = String(repeating: " ", count: max(1, 6 - level.rawValue.count))
        var line = "\(timestamp(time, milliseconds: false)) \(level.rawValue)\(gap)\(escaped(message))"
        for (key, value) in fields {
            let value = escaped(value.description)
            let isPlain = !value.isEmpty && value.allSatisfy { $0 != " " && $0 != "\"" && $0 != "=" }
            line += " \(escaped(key))="
            line += isPlain ? value : "\"\(value.map(quoted).joined())\""
        }
        return line
    }

    private static func jsonLine(
        _ level: Level, _ message: String, _ fields: Fields, at time: timespec
    ) -> String {
        var line = "{\"time\":\"\(timestamp(time, milliseconds: true))\",\"level\":\"\(level.rawValue)\""
        line += ",\"message\":\(jsonString(message))"
        for (key, value) in fields {
            // The names of the fixed fields stay unique.
            let name = ["time", "level", "message"].contains(key) ? "\(key)_" : key
            line += ",\(jsonString(name)):"
            switch value {
            case let number as any BinaryInteger: line += "\(number)"
            case let flag as Bool: line += "\(flag)"
            default: line += jsonString(value.description)
            }
        }
        return line + "}"
    }

    /// Returns the text with control characters escaped, so that it cannot break a line or control a
    /// terminal.
    package static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { append($1, to: &$0) }
    }

    private static func jsonString(_ text: String) -> String {
        let content = text.unicodeScalars.reduce(into: "") { content, scalar in
            if scalar == "\"" || scalar == "\\" { content += "\\" }
            append(scalar, to: &content)
        }
        return "\"\(content)\""
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where isControl(scalar):
            let hexadecimal = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
        default: text.unicodeScalars.append(scalar)
        }
    }

    /// Whether the scalar is a control character, a line separator, or a mark that changes the direction of
    /// text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func quoted(_ character: Character) -> String {
        character == "\"" ? "\\\"" : String(character)
    }

    private static func timestamp(_ time: timespec, milliseconds: Bool) -> String {
        var seconds = time.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        var clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        if milliseconds {
            let fraction = String(time.tv_nsec / 1_000_000)
            clock += "." + String(repeating: "0", count: 3 - fraction.count) + fraction
        }
        return "\(date)T\(clock)Z"
    }
}
