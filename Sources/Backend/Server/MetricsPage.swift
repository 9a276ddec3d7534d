import Codecs

/// The page of metrics, where every name begins with `letsswitch_`.
extension [Figure] {
    /// Reads the figures of all parts, and with `stored` those that the database counts.
    init(of parts: [any Part], stored: Bool = false) async {
        self = []
        for part in parts {
            self += await part.figures()
            if stored { self += await part.storedFigures() }
        }
    }

    /// The text of the page, as Prometheus reads it.
    var text: String {
        var text = ""
        for figure in self {
            let name = "letsswitch_\(figure.name)"
            text += "# HELP \(name) \(figure.help)\n# TYPE \(name) \(figure.type)\n"
            for sample in figure.samples { Self.write(sample, of: name, to: &text) }
        }
        return text
    }

    private static func write(_ sample: Figure.Sample, of name: String, to text: inout String) {
        let labels = sample.labels.map { "\($0)=\"\($1)\"" }
        func line(_ name: String, _ labels: [String], _ value: Double) {
            let isWhole = value == value.rounded() && abs(value) < 1e15
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(name)\(list) \(isWhole ? String(Int64(value)) : String(value))\n"
        }
        switch sample.value {
        case .number(let number): line(name, labels, number)
        case .histogram(let histogram):
            for (bound, count) in histogram.cumulative {
                line("\(name)_bucket", labels + ["le=\"\(bound)\""], Double(count))
            }
            line("\(name)_bucket", labels + ["le=\"+Inf\""], Double(histogram.count))
            line("\(name)_sum", labels, histogram.sum)
            line("\(name)_count", labels, Double(histogram.count))
        }
    }
}
