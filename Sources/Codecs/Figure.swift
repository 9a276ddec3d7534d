/// A metric as it stands: its name, its help, and a value for each set of labels.
package struct Figure: Sendable {
    package enum Value: Sendable {
        case number(Double)
        case histogram(Histogram)
    }

    package struct Sample: Sendable {
        package let labels: KeyValuePairs<String, String>
        package let value: Value

        package init(_ labels: KeyValuePairs<String, String>, _ value: some Measured) {
            self.labels = labels
            self.value = value.measure
        }
    }

    package let name: String
    package let help: String
    /// The type for Prometheus. The names of counters end with `_total`.
    package let type: String
    package let samples: [Sample]

    /// Creates a metric. Labels have few values, which clients cannot choose.
    package init(_ name: String, _ help: String, isHistogram: Bool = false, _ samples: [Sample]) {
        self.name = name
        self.help = help
        self.samples = samples
        type = isHistogram ? "histogram" : name.hasSuffix("_total") ? "counter" : "gauge"
    }

    /// Creates a metric without labels; it has no value yet if that is nil.
    package init<Kind: Measured>(_ name: String, _ help: String, _ value: Kind?) {
        self.init(name, help, isHistogram: Kind.self == Histogram.self, value.map { [Sample([:], $0)] } ?? [])
    }

    /// Creates a metric with one label.
    package init<Kind: Measured>(
        _ name: String, _ help: String, by label: String, _ values: [(String, Kind)]
    ) {
        let samples = values.map { Sample([label: $0], $1) }
        self.init(name, help, isHistogram: Kind.self == Histogram.self, samples)
    }
}

/// A value that a metric can have.
package protocol Measured {
    var measure: Figure.Value { get }
}

extension Int: Measured { package var measure: Figure.Value { .number(Double(self)) } }
extension UInt64: Measured { package var measure: Figure.Value { .number(Double(self)) } }
extension Double: Measured { package var measure: Figure.Value { .number(self) } }
extension Histogram: Measured { package var measure: Figure.Value { .histogram(self) } }

extension [Figure] {
    /// The number of the metric without labels; 0 if there is none.
    package subscript(name: String) -> Int {
        let value = first { $0.name == name }?.samples.first?.value
        return if case .number(let number) = value { Int(number) } else { 0 }
    }
}
