import Contract
import Reactor

/// The raw text of every setting: flags first, then the environment, each as a value or as a file that holds
/// it.
struct SettingValues {
    /// The text of a setting, and the name under which it was given.
    package struct Value {
        package let name: String
        package let text: String
        var isFromFile = false
    }

    private var values: [Setting: Value] = [:]

    /// The values that were given, for operators to look at: a secret has no text.
    var given: [Setting: GivenSetting] {
        var given: [Setting: GivenSetting] = [:]
        for (setting, value) in values {
            given[setting] = GivenSetting(
                source: value.isFromFile ? .file : value.name.hasPrefix("-") ? .flag : .environment,
                text: setting.isSecret ? nil : value.text)
        }
        return given
    }

    init(
        arguments: [String], environment: [String: String],
        readFile: (String) throws -> String
    ) throws(ConfigurationError) {
        let flags = try Self.flags(in: arguments)
        for setting in Setting.allCases {
            // A flag replaces the environment, including the file variant, so that it can always correct it.
            if let value = try Self.value(named: setting.flag, file: setting.fileFlag, in: flags, readFile) {
                values[setting] = value
            } else {
                values[setting] = try Self.value(
                    named: setting.name, file: setting.fileName, in: environment, readFile)
            }
        }
    }

    /// The value of a setting; nil if it is not given, or empty.
    subscript(setting: Setting) -> Value? { values[setting] }

    /// Reads `--flag VALUE` and `--flag=VALUE`; the last one of a name counts.
    private static func flags(in arguments: [String]) throws(ConfigurationError) -> [String: String] {
        let known = Setting.allCases.flatMap { [$0.flag, $0.fileFlag] }
        var flags: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else { throw .unexpectedArgument(argument) }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let flag = String(parts[0])
            guard known.contains(flag) else {
                throw .unknownFlag(
                    flag, suggestion: Spelling.nearest(to: flag, in: known + ["--help", "--version"]))
            }
            if parts.count == 2 {
                flags[flag] = String(parts[1])
            } else if let value = rest.popFirst() {
                // In `--port --host x` the value is missing; a value that starts with dashes is written with
                // `=`.
                if value.hasPrefix("--") { throw .missingValue(flag: flag) }
                flags[flag] = value
            } else {
                throw .missingValue(flag: flag)
            }
        }
        return flags
    }

    private static func value(
        named name: String, file: String, in source: [String: String],
        _ readFile: (String) throws -> String
    ) throws(ConfigurationError) -> Value? {
        let text = source[name].flatMap { $0.isEmpty ? nil : $0 }
        let path = source[file].flatMap { $0.isEmpty ? nil : $0 }
        if text != nil, path != nil { throw .givenTwice(name, file) }
        guard let path else { return text.map { Value(name: name, text: $0) } }
        var content: String
        do {
            content = try readFile(path)
        } catch {
            let reason = (error as? SystemError)?.reason ?? "\(error)"
            throw .unreadableFile(name: file, path: path, reason: reason)
        }
        while content.last?.isNewline == true { content.removeLast() }
        if content.isEmpty { throw .unreadableFile(name: file, path: path, reason: "the file is empty") }
        return Value(name: name, text: content, isFromFile: true)
    }
}
