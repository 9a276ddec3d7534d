/// Small slots one after the other, whose people all have an event stream.
struct OrdinaryMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        try await database.addPeople(people)
        let slots = MeasuredSlots(opensAfter: 15 + run.slots / 2, length: 30, lead: 15, count: run.slots)
        try await database.register(people, for: slots)
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        guard let findings = try await run.notices(people: people, slots: slots, at: server, in: database)
        else { return }
        await server.stop()
        let probe = try await CopyProbe(database)
        var (commits, copies): ([Double], [Double]) = ([], [])
        for (number, start) in slots.starts.enumerated() {
            if try await !database.isComplete(start, people: people) {
                run.fault("Slot \(number) is not complete.")
            }
            commits.append(try await server.committed(start, since: start - slots.lead, in: database))
            copies.append(try await probe.milliseconds(start))
        }
        let (commit, copy) = (Self.text(commits), Self.text(copies))
        let figure = "\(people.grouped) people, \(slots.count) slots"
        run.add(
            TableLine(
                figure: "\(figure): match committed", measured: commit, bound: "COPY of the rows: \(copy)",
                target: "p99 ≤ 50 ms", value: TableLine.ranks(commits).largest, limit: 50))
        run.add(findings.line(figure, within: 100, bound: "the commit: \(commit)"))
    }

    private static func text(_ milliseconds: [Double]) -> String {
        let (median, largest) = TableLine.ranks(milliseconds)
        return "median \(median.text(digits: 1)), worst \(largest.text(digits: 1)) ms"
    }
}

/// A slot of people who have all met each other, at different times, so that every pairing has its own cost.
struct DenseMeasurement: PunctualMeasurement {
    let people: Int

    /// An odd number of people, or fewer than four, has no tournament.
    init?(people: Int) {
        guard people >= 4, people.isMultiple(of: 2) else { return nil }
        self.people = people
    }

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        try await database.addPeople(people)
        Output.note("Writing the meetings of \(people) people …")
        try await database.addMeetings(of: people)
        var slots = MeasuredSlots(hourAfter: 60)
        try await database.register(people, for: slots)
        slots.open(after: 35)
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        guard let findings = try await run.notices(people: people, slots: slots, at: server, in: database)
        else { return }
        if try await !database.isComplete(slots.start, people: people) {
            run.fault("The slot is not complete.")
        }
        let commit = try await server.committed(slots.start, since: slots.due, in: database)
        await server.stop()
        let copy = try await CopyProbe(database).milliseconds(slots.start)
        let limit = people <= 500 ? 1_000 : 3_000
        let figure = "\(people) people who have all met"
        run.add(
            TableLine(
                figure: "\(figure): match committed", measured: "\(commit.text(digits: 1)) ms",
                bound: "COPY of the rows: \(copy.text(digits: 1)) ms", target: "≤ \(limit) ms", value: commit,
                limit: Double(limit)))
        run.add(findings.line(figure, within: 100, bound: "the commit: \(commit.text(digits: 1)) ms"))
    }
}

/// Many event streams that are told of one slot.
struct StreamsMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        try await database.addPeople(people)
        var slots = MeasuredSlots(hourAfter: 90)
        try await database.register(people, for: slots)
        slots.open(after: 45)
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        guard let findings = try await run.notices(people: people, slots: slots, at: server, in: database)
        else { return }
        let commit = try await server.committed(slots.start, since: slots.due, in: database)
        let last = findings.lasts[0]
        run.add(
            TableLine(
                figure: "\(people.grouped) event streams: the last one told",
                measured: "\(last?.text(digits: 1) ?? "null") ms; \(findings.wrongs)",
                bound: "the commit: \(commit.text(digits: 1)) ms", target: "≤ 1,000 ms",
                value: last ?? TableLine.missing, limit: 1_000))
        await server.stop()
    }
}
