extension Double {
    /// Returns the value as text with that many digits after the point.
    func text(digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((abs(self) * Double(scale)).rounded())
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}

extension Int {
    /// The number with commas between the thousands.
    var grouped: String {
        magnitude < 1_000
            ? "\(self)" : "\((self / 1_000).grouped),\(String(1_000 + Int(magnitude % 1_000)).dropFirst())"
    }
}
