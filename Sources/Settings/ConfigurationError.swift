import Logging

/// An error in the configuration that keeps the server from starting: one line, and exit code 2.
package enum ConfigurationError: Error, Equatable, CustomStringConvertible {
    case unknownCommand(String, suggestion: String?)
    case unknownFlag(String, suggestion: String?)
    case missingValue(flag: String)
    /// A command lacks the word that follows it, such as `FILE`.
    case missingArgument(of: String, String)
    case unexpectedArgument(String)
    /// A restore does not say into which database.
    case missingTarget
    /// The value and the file that holds it are both given.
    case givenTwice(String, String)
    case unreadableFile(name: String, path: String, reason: String)
    case invalid(name: String, value: String, reason: String)
    /// The value is invalid and must not be shown.
    case invalidSecret(name: String, reason: String)

    package static let exitCode: Int32 = 2

    package var description: String {
        switch self {
        case .unknownCommand(let name, let suggestion):
            "unknown command \(Self.shown(name))" + Self.question(suggestion)
        case .unknownFlag(let name, let suggestion):
            "unknown flag \(Self.shown(name))" + Self.question(suggestion)
        case .missingValue(let flag):
            "\(flag) needs a value."
        case .missingArgument(let command, let word):
            "\(command) needs \(word). See letsswitch-server \(command.prefix { $0 != " " }) --help."
        case .unexpectedArgument(let argument):
            "unexpected argument \(Self.shown(argument)). See --help."
        case .missingTarget:
            "restore needs DATABASE_URL, or the DATA_DIR of a new private database."
        case .givenTwice(let one, let other):
            "\(one) and \(other) are both given: use one of them."
        case .unreadableFile(let name, let path, let reason):
            "\(name)=\(Self.shown(path)) cannot be read: \(reason)."
        case .invalid(let name, let value, let reason):
            "\(name)=\(Self.shown(value)) \(reason)."
        case .invalidSecret(let name, let reason):
            "\(name) \(reason)."
        }
    }

    private static func question(_ suggestion: String?) -> String {
        suggestion.map { ": did you mean \($0)?" } ?? ". See --help."
    }

    /// Returns the text on one line, without control characters, and cut to 80 characters.
    private static func shown(_ text: String) -> String {
        Log.escaped(text.count > 80 ? String(text.prefix(80)) + "…" : text)
    }
}
