/// The arguments on the command line, checked against the command.
struct ParsedArguments: Sendable, Equatable {
    var positional: [String] = []
    var values: [String: [String]] = [:]
    var switches: Set<String> = []

    /// The argument at that position, if it was given.
    subscript(_ index: Int) -> String? { index < positional.count ? positional[index] : nil }

    func has(_ name: String) -> Bool { switches.contains(name) }

    func value(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }
}
