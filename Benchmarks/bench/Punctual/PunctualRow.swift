/// One row of `bench punctual`, such as `dense-500`: a measurement, and the size at which it is made.
struct PunctualRow {
    static let standard = [
        "ordinary", "dense-500", "dense-1000", "streams", "rush", "rush-asking", "bulk-100000",
        "bulk-1000000", "closing-1000000", "beside-300000", "failover", "idle", "day-1000000",
    ]
    static let deliveries = ["webhooks", "pushes", "dead-hosts"]

    let name: String
    let measurement: any PunctualMeasurement

    /// Reads a name. The number at its end may be another one; names without one have a size too.
    init(_ name: String) throws(BenchError) {
        self.name = name
        let digits = String(name.reversed().prefix { $0.isNumber }.reversed())
        let kind = digits.isEmpty ? name : String(name.dropLast(digits.count + 1))
        let isSized = digits.isEmpty || name.dropLast(digits.count).last == "-"
        guard isSized, let found = Self.measurement(kind, Int(digits)) else {
            let all = (Self.standard + Self.deliveries).joined(separator: ",")
            throw .usage("There is nothing called \(name): --only has \(all).")
        }
        measurement = found
    }

    private static func measurement(_ kind: String, _ size: Int?) -> (any PunctualMeasurement)? {
        if let size, !(2...1_000_000).contains(size) { return nil }
        switch kind {
        case "ordinary": return OrdinaryMeasurement(people: size ?? 1_000)
        case "dense": return size.flatMap { DenseMeasurement(people: $0) }
        case "streams": return StreamsMeasurement(people: size ?? 10_000)
        case "rush": return RushMeasurement(people: size ?? 2_000, asks: false)
        case "rush-asking": return RushMeasurement(people: size ?? 2_000, asks: true)
        case "bulk": return size.map { BulkMeasurement(people: $0) }
        case "closing": return size.map { ClosingMeasurement(people: $0) }
        case "beside": return size.map { BesideMeasurement(people: $0) }
        case "failover": return FailoverMeasurement(people: size ?? 1_000)
        case "idle": return IdleMeasurement(people: size ?? 10)
        case "day": return size.map { DayMeasurement(registrations: $0) }
        case "webhooks": return WebhooksMeasurement(people: size ?? 1_000)
        case "pushes": return PushesMeasurement(people: size ?? 10_000)
        case "dead-hosts": return DeadHostsMeasurement(hosts: size ?? 100)
        default: return nil
        }
    }
}

/// A measurement: fills an empty database, has servers work on it, and adds its figures to the run.
protocol PunctualMeasurement: Sendable {
    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws
}
