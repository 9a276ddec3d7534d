import Reactor

/// The end of one slot of very many people, all of whom took part.
struct ClosingMeasurement: PunctualMeasurement {
    private static let length = 60
    /// The time after the end of a slot at which it closes.
    private static let grace = 1

    let people: Int

    /// One and a half times what a match may take: 3 s for 100,000 people, and 45 s for a million.
    private var limit: Double { 1.5 * Double(people) * (people < 1_000_000 ? 30e-6 : 45e-6) }

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        let slots = MeasuredSlots(opensAfter: 30 + people / 6_000, length: Self.length, lead: 60)
        let end = slots.start + Self.length
        try await database.addPeople(people)
        Output.note("Writing \(people) registrations and their rooms …")
        try await database.register(1...people, forMinute: slots.start)
        try await database.setOpen(slots.start)
        try await database.run("UPDATE members SET entered_at = to_timestamp(\(slots.start));")
        try await database.settle()
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        guard end - WallClock.seconds() > 2 else {
            throw BenchError.failed("Writing the registrations took too long.")
        }
        Output.note("The slot ends in \(end - WallClock.seconds()) s.")
        try await MeasuredSlots.wait(until: end)
        let isDone = try await Patience.wait(.seconds(300), looking: .seconds(1)) {
            try await database.number(
                "SELECT count(closed_at) FROM slots WHERE starts_at = to_timestamp(\(slots.start))") == 1
        }
        await server.stop()
        guard isDone else { return run.fault("\(people): not closed in five minutes.") }
        let told = try await database.number(
            "SELECT count(DISTINCT registration_id) FROM notifications WHERE type = 'session.completed'")
        if told != Double(people) { run.fault("\(people): not all people were told of the end once.") }
        let took = try await database.number(
            """
            SELECT extract(epoch FROM max(pg_xact_commit_timestamp(xmin))) - \(end + Self.grace)
            FROM notifications
            """)
        run.add(
            TableLine(
                figure: "\(people) people of one slot: the end of the last one committed",
                measured: "\((took ?? TableLine.missing).text(digits: 2)) s",
                target: "≤ \(limit.text(digits: 1)) s", value: took ?? TableLine.missing, limit: limit))
    }
}
