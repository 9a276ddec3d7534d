import Reactor

/// The longest wait of a few people who come late, cancel and have an opening in other slots, while a large
/// slot closes and another one opens at one instant.
struct BesideMeasurement: PunctualMeasurement {
    private static let length = 60

    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        // The slots are the one that closes, the current one, the one that opens, and a little one after it.
        var slots = MeasuredSlots(opensAfter: people / 1_500, length: Self.length, lead: 60)
        slots.start -= Self.length
        slots.count = 4
        let (closing, end, opening, next) =
            (slots.starts[0], slots.starts[1], slots.starts[2], slots.starts[3])
        try await database.addPeople(people + 200)
        Output.note("Writing \(people) registrations for each of two slots …")
        for slot in [closing, opening] { try await database.register(1...people, forMinute: slot) }
        for slot in [end, next] {
            try await database.register((people + 1)...(people + 4), forMinute: slot)
        }
        for slot in [closing, end] { try await database.setOpen(slot) }
        try await database.settle()
        let server = try await MeasuredServer.start(
            on: run.testbed, database, slots, .init(lateSeconds: 60))
        guard end - WallClock.seconds() > 2 else {
            throw BenchError.failed("Writing the registrations took too long.")
        }
        let cancelling = try await comeAndGo(run, database, server, slot: end)
        let isDone = try await Patience.wait(.seconds(120), looking: .seconds(1)) {
            try await database.number(
                "SELECT count(closed_at) FROM slots WHERE starts_at = to_timestamp(\(closing))") == 1
                && server.matched(opening) != nil && server.matched(next) != nil
        }
        guard isDone else { return run.fault("Not done in two minutes.") }
        if try await !database.isComplete(opening, people: people) { run.fault("The slot is not complete.") }
        let committed = try await server.committed(next, since: next - slots.lead, in: database)
        let late = try await lateWait(database, slot: end) ?? TableLine.missing
        let took = try await database.run(
            """
            SELECT round(extract(epoch FROM max(pg_xact_commit_timestamp(notifications.xmin)))) - \(end)
            FROM notifications JOIN registrations ON registrations.id = registration_id
            WHERE starts_at IN (to_timestamp(\(closing)), to_timestamp(\(opening)));
            """)
        let waits = [late, cancelling * 1_000, committed]
        run.add(
            TableLine(
                figure: "\(people) closing and \(people) opening at once, done after \(took) s: "
                    + "the worst wait of anybody else",
                measured: "late match \(late.text(digits: 0)) ms, cancelling \(waits[1].text(digits: 0)) ms, "
                    + "opening \(committed.text(digits: 1)) ms",
                target: "≤ 1,000 ms", value: waits.max() ?? TableLine.missing, limit: 1_000))
        await server.stop()
    }

    /// Has one person register late each second and cancel two seconds later; returns the seconds of the
    /// slowest answer.
    private func comeAndGo(
        _ run: PunctualRun, _ database: BenchDatabase, _ server: MeasuredServer, slot: Int
    ) async throws -> Double {
        let tokens = try await database.tokens((people + 10)...(people + 66))
        let start = MeasuredSlots.text(slot)
        let registrations = "http://127.0.0.1:\(server.port)/v1/registrations"
        var worst = 0.0
        for (number, token) in tokens.enumerated() {
            try await MeasuredSlots.wait(until: slot + 1 + number)
            var answers = [
                try await Curl.call(
                    "POST", registrations, token: token, body: #"{"task":"Task","slots":["\#(start)"]}"#)
            ]
            if number >= 2 {
                let id = try await database.run(
                    """
                    SELECT id FROM registrations
                    WHERE user_id = key(1, \(people + 8 + number)) AND starts_at = to_timestamp(\(slot));
                    """)
                answers.append(
                    try await Curl.call("DELETE", "\(registrations)/\(id)", token: tokens[number - 2]))
            }
            for answer in answers where ![200, 201, 204].contains(answer.status) {
                run.fault("A call was answered by \(answer.status).")
            }
            worst = max(worst, answers[answers.count - 1].seconds)
        }
        return worst
    }

    /// Returns the longest wait of those who came late to the slot for their room, in milliseconds.
    private func lateWait(_ database: BenchDatabase, slot: Int) async throws -> Double? {
        try await database.number(
            """
            SELECT round(1000 * max(extract(epoch FROM pg_xact_commit_timestamp(notifications.xmin)
                - registrations.created_at)))
            FROM notifications JOIN registrations ON registrations.id = registration_id
            WHERE type = 'room.opened' AND starts_at = to_timestamp(\(slot))
                AND registrations.created_at > to_timestamp(\(slot));
            """)
    }
}
