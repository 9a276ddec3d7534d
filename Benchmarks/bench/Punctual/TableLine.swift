/// One figure of the table, beside what bounds it and its target.
struct TableLine {
    let figure: String
    let measured: String
    var bound = "–"
    var target = "–"
    /// The value that is compared with the limit.
    var value = 0.0
    var limit = 0.0

    static let heading = """
        | figure | measured | what bounds it | target | met |
        |---|---|---|---|---|
        """

    var text: String {
        "| \(figure) | \(measured) | \(bound) | \(target) | \(value <= limit ? "yes" : "no") |"
    }

    /// A value that meets no target, for what was not measured.
    static let missing = 999_999.0

    /// Returns the median of the values, the lower one of two, and the largest.
    static func ranks(_ values: [Double]) -> (median: Double, largest: Double) {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2], sorted[sorted.count - 1])
    }
}
