/// The statements of a server that has nothing to do.
struct IdleMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        try await database.addPeople(people)
        let slots = MeasuredSlots(opensAfter: 86_400, length: 3600, lead: 60)
        try await database.register(people, for: slots)
        try await database.run("ALTER DATABASE \(database.name) SET log_statement = 'all'")
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        Output.note("Waiting a minute for the server to settle, and then \(run.idleSeconds) s …")
        let clock = ContinuousClock()
        try await clock.sleep(for: .seconds(60))
        let before = try TextFile.read(run.testbed.postgresLog).utf8.count
        try await clock.sleep(for: .seconds(run.idleSeconds))
        let log = try TextFile.read(run.testbed.postgresLog).utf8.dropFirst(before)
        await server.stop()
        let found = StatementCount(String(decoding: Array(log), as: UTF8.self), database: database.name)
        Output.note("What was asked: \(found.summary)")
        let counts = [found.scheduler, found.worker, found.all].map {
            Double($0 * 60) / Double(run.idleSeconds)
        }
        let texts = counts.map { $0.text(digits: 2) }
        run.add(
            TableLine(
                figure: "statements a minute of a server with nothing to do, \(run.idleSeconds) s: "
                    + "the scheduler's",
                measured: "\(texts[0]); the delivery worker's \(texts[1]); "
                    + "with the listener's signs of life and the time \(texts[2])",
                target: "≤ 1", value: counts[0], limit: 1))
    }
}

/// The statements of one database in PostgreSQL's log.
struct StatementCount {
    private let statements: [Substring]

    /// Reads log lines that begin with the name of their database.
    init(_ log: String, database: String) {
        statements = log.split(separator: "\n").filter {
            $0.hasPrefix("\(database) LOG:  statement") || $0.hasPrefix("\(database) LOG:  execute")
        }
    }

    var all: Int { statements.count }

    /// The number of the delivery worker's statements, which ask when a delivery is due.
    var worker: Int { statements.count { $0.contains("SELECT least(") } }

    /// The number of statements besides the delivery worker's, the questions for the time, and the SELECT 1
    /// by which the listener checks its connection.
    var scheduler: Int {
        statements.count {
            !$0.contains("SELECT least(") && !$0.hasSuffix("SELECT 1")
                && !$0.hasSuffix("SELECT clock_timestamp()")
        }
    }

    /// The ten most frequent statements, by their beginnings, with their numbers.
    var summary: String {
        var counts: [Substring: Int] = [:]
        for statement in statements {
            // A line is `database LOG:  execute name: SELECT …`.
            let text = statement.split(separator: ": ", maxSplits: 2).last ?? ""
            counts[text.prefix(60), default: 0] += 1
        }
        return counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(10)
            .map { "\($0.value) \($0.key);" }.joined(separator: " ")
    }
}
