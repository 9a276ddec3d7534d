/// The arguments on the command line, checked against the command.
struct ParsedArguments: Sendable, Equatable {
    var positional: [String] = []
    var values: [String: [String]] = [:]
    var switches: Set<String> = []

    /// The argument at that position, if it was given.
    subscript(_ index: Int) -> String? { index < positional.count ? positional[index] : nil }

    func has(_ name: String) -> Bool { switches.contains(name) }

    func value(_ name: String) -> String? { values[name]?.last }

    /// Returns the number that the option has; nil: it was not given. For anything but a number in the range,
    /// throws the failure for the value, which is made safe to show.
    func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, in range: some RangeExpression<Number>, orElse failure: (String) -> Failure
    ) throws(Failure) -> Number? {
        guard let text = value(name) else { return nil }
        guard let number = Number(text), range.contains(number) else { throw failure(SafeText.escape(text)) }
        return number
    }

    func all(_ name: String) -> [String] { values[name] ?? [] }
}
