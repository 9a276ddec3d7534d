/// The arguments of a command: `--name value`, and switches without a value.
struct Options {
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    /// Whether `--help` was given.
    var wantsHelp: Bool { switches.contains("help") }

    init(
        _ words: ArraySlice<String>, values names: Set<String>, switches flags: Set<String> = []
    ) throws(BenchError) {
        var rest = words
        while let word = rest.popFirst() {
            let name = String(word.drop { $0 == "-" })
            guard word.hasPrefix("--") else { throw .usage("\(word) is not expected here.") }
            if flags.contains(name) || name == "help" {
                switches.insert(name)
            } else if names.contains(name) {
                guard let value = rest.popFirst() else { throw .usage("--\(name) needs a value.") }
                values[name] = value
            } else {
                throw .usage("There is no option \(word) here.")
            }
        }
    }

    func has(_ name: String) -> Bool { switches.contains(name) }

    func text(_ name: String) -> String? { values[name] }

    func integer(_ name: String, default fallback: Int, in range: ClosedRange<Int>) throws(BenchError) -> Int
    {
        guard let text = values[name] else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw .usage(
                "--\(name) has to be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    /// Returns a number such as `2.5`, for seconds or a rate.
    func decimal(_ name: String, default fallback: Double, in range: ClosedRange<Double>) throws(BenchError)
        -> Double
    {
        guard let text = values[name] else { return fallback }
        guard let value = Double(text), range.contains(value) else {
            throw .usage("--\(name) has to be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }
}
