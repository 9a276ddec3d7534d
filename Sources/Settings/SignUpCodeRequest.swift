package import Contract

/// A request to `letsswitch-server signup-code`.
package enum SignUpCodeRequest: Equatable, Sendable {
    case list
    /// Makes a code for so many accounts. Without an end it is good for the usual time.
    case add(uses: Int, until: Timestamp?)
    case end(Int64)

    /// Whether the request makes a code, which is shown once.
    package var makesCode: Bool {
        switch self {
        case .list, .end: false
        case .add: true
        }
    }

    private static let usage = "signup-code"

    /// Reads the words and flags of the request, and removes them from the arguments.
    package init(takingFrom arguments: inout [String]) throws(ConfigurationError) {
        guard let verb = arguments.takeWord() else { throw ServerCommand.Name.signUpCodes.missingArgument }
        switch verb {
        case "list": self = .list
        case "add":
            var uses = 1
            if let text = try arguments.takeValue(of: "--uses") {
                guard let number = Int(text), number > 0 else {
                    throw .invalid(
                        name: "--uses", value: text, reason: "is no number of accounts: use 1 or more")
                }
                uses = number
            }
            self = .add(uses: uses, until: try arguments.takeTime(of: "--until"))
        case "end":
            guard let text = arguments.first, let id = Int64(text), id > 0 else {
                throw .missingValue(flag: "\(Self.usage) end")
            }
            arguments.removeFirst()
            self = .end(id)
        default:
            throw .invalid(name: Self.usage, value: verb, reason: "is none of add, list and end")
        }
    }
}
