package import Contract

/// A request to `letsswitch-server operator`.
package enum OperatorRequest: Equatable, Sendable {
    case list
    case add(String, role: String, Password)
    case disable(String)
    case reset(String, Password)

    /// Where the new password comes from, and whether one-time codes are asked for from then on.
    package struct Password: Equatable, Sendable {
        /// The file with the password; nil to ask for it.
        package var file: String?
        package var hasCode = false
    }

    /// The operator who gets a new secret for one-time codes; nil if none is made.
    package var secretOwner: String? {
        switch self {
        case .list, .disable: nil
        case .add(let name, _, let password), .reset(let name, let password): password.hasCode ? name : nil
        }
    }

    private static let usage = "operator"

    /// Reads the words and flags of the request, and removes them from the arguments.
    package init(takingFrom arguments: inout [String]) throws(ConfigurationError) {
        var password = Password()
        guard let verb = arguments.takeWord() else { throw ServerCommand.Name.operators.missingArgument }
        if verb == "list" {
            self = .list
            return
        }
        guard ["add", "disable", "reset"].contains(verb) else {
            throw .invalid(name: Self.usage, value: verb, reason: "is none of add, list, disable and reset")
        }
        guard let name = arguments.takeWord() else {
            throw .missingArgument(of: "\(Self.usage) \(verb)", "NAME, the name of an operator")
        }
        if verb == "disable" {
            self = .disable(name)
            return
        }
        password.hasCode = arguments.takeFlag("--code")
        password.file = try arguments.takeValue(of: "--password-file")
        if verb == "reset" {
            self = .reset(name, password)
            return
        }
        guard let role = try arguments.takeValue(of: "--role") else { throw .missingValue(flag: "--role") }
        self = .add(name, role: role, password)
    }
}

/// A request to `letsswitch-server audit`.
package enum AuditRequest: Equatable, Sendable {
    /// Verifies the chain; it has to contain the head, if one is given.
    case verify(head: [UInt8]? = nil)
    case cut(before: Timestamp)

    /// Reads the words and flags of the request, and removes them from the arguments.
    package init(takingFrom arguments: inout [String]) throws(ConfigurationError) {
        guard let verb = arguments.takeWord() else { throw ServerCommand.Name.audit.missingArgument }
        switch verb {
        case "verify":
            guard let text = try arguments.takeValue(of: "--head") else {
                self = .verify()
                return
            }
            guard let head = Self.head(text) else {
                throw .invalid(
                    name: "--head", value: text,
                    reason: "is no head: use the 64 hexadecimal digits that audit verify prints")
            }
            self = .verify(head: head)
        case "cut":
            guard let time = try arguments.takeTime(of: "--before") else {
                throw .missingValue(flag: "--before")
            }
            self = .cut(before: time)
        default:
            throw .invalid(name: "audit", value: verb, reason: "is neither verify nor cut")
        }
    }

    /// Reads a digest of 32 bytes in hexadecimal digits.
    private static func head(_ text: String) -> [UInt8]? {
        guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else { return nil }
        var (bytes, rest): ([UInt8], Substring) = ([], text[...])
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return rest.isEmpty ? bytes : nil
    }
}
