import Codecs

/// A builder of a page of metrics; every name begins with `letsswitch_`.
struct MetricsPage {
    private(set) var text = ""
    private var values: [String: Double] = [:]

    /// Whether the page may wait for the database.
    private(set) var asksDatabase = true

    init() {}

    /// Makes the page of all parts.
    init(of parts: [any Part], asksDatabase: Bool = true) async {
        self.asksDatabase = asksDatabase
        for part in parts { await part.figures(into: &self) }
    }

    /// The value of a metric without labels; 0 if it is not here.
    subscript(name: String) -> Int { Int(values[name] ?? 0) }

    mutating func head(_ name: String, _ help: String, _ type: String) {
        text += "# HELP letsswitch_\(name) \(help)\n# TYPE letsswitch_\(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: String, _ value: Double) {
        if labels.isEmpty { values[name] = value }
        let isWhole = value == value.rounded() && abs(value) < 1e15
        text += "letsswitch_\(name)\(labels) \(isWhole ? String(Int64(value)) : String(value))\n"
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        head(name, help, "gauge")
        sample(name, "", value)
    }

    mutating func counter(_ name: String, _ help: String, _ value: Double) {
        head(name, help, "counter")
        sample(name, "", value)
    }

    mutating func counters(
        _ name: String, _ help: String, label: String, _ values: KeyValuePairs<String, Double>
    ) {
        head(name, help, "counter")
        for (text, value) in values { sample(name, "{\(label)=\"\(text)\"}", value) }
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, help, "histogram")
        samples(name, of: histogram)
    }

    /// Adds the samples of one histogram; `label` is such as `channel="webhook"`.
    mutating func samples(_ name: String, label: String? = nil, of histogram: Histogram) {
        let prefix = label.map { "\($0)," } ?? ""
        let labels = label.map { "{\($0)}" } ?? ""
        for (bound, count) in histogram.cumulative {
            sample("\(name)_bucket", "{\(prefix)le=\"\(bound)\"}", Double(count))
        }
        sample("\(name)_bucket", "{\(prefix)le=\"+Inf\"}", Double(histogram.count))
        sample("\(name)_sum", labels, histogram.sum)
        sample("\(name)_count", labels, Double(histogram.count))
    }
}
