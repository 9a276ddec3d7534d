import Reactor

/// One slot of very many people, none of whom is connected.
struct BulkMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        let margin = 25 + people / 20_000
        Output.note("Writing \(people) registrations …")
        try await database.addPeople(people)
        var slots = MeasuredSlots(hourAfter: margin + 30 + people / 6_000)
        try await database.register(people, for: slots)
        slots.open(after: margin)
        guard slots.lead > 0 else { throw BenchError.failed("Writing the registrations took too long.") }
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        Output.note("The slot opens in \(slots.due - WallClock.seconds()) s.")
        try await MeasuredSlots.wait(until: slots.due)
        // The query loads the database, so it runs once the server's log says that the match is done.
        let isDone = try await Patience.wait(.seconds(300), looking: .milliseconds(500)) {
            guard try server.matched(slots.start) != nil else { return false }
            return try await database.isComplete(slots.start, people: people)
        }
        guard isDone else { return run.fault("\(people): not matched in five minutes.") }
        let memory = try server.peakMegabytes
        let commit = try await server.committed(slots.start, since: slots.due, in: database)
        await server.stop()
        let copy = try await CopyProbe(database).milliseconds(slots.start)
        run.add(
            TableLine(
                figure: "\(people) registrations in one slot: match committed",
                measured:
                    "\((commit / 1_000).text(digits: 2)) s, \((commit / copy).text(digits: 2)) of the COPY",
                bound: "COPY of the rows: \((copy / 1_000).text(digits: 2)) s", target: "≤ 2 × the COPY",
                value: commit / copy, limit: 2))
        run.add(
            TableLine(
                figure: "\(people) registrations in one slot: memory of the server at its peak",
                measured: "\(memory) MB", target: "≤ 600 MB", value: Double(memory), limit: 600))
    }
}
