import Glibc

/// One of two servers is killed shortly before a slot, whose people are at the other.
struct FailoverMeasurement: PunctualMeasurement {
    let people: Int

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        try await database.addPeople(people)
        let slots = MeasuredSlots(opensAfter: 30, length: 60, lead: 30)
        try await database.register(people, for: slots)
        let other = try await MeasuredServer.start(on: run.testbed, database, slots, name: "other")
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        async let killing: Void = Self.kill(other, at: slots.due - 15)
        let findings = try await run.notices(people: people, slots: slots, at: server, in: database)
        try await killing
        await server.stop()
        guard let findings else { return }
        let commit = try await server.committed(slots.start, since: slots.due, in: database)
        run.add(
            findings.line(
                "server killed 45 s before a slot (lead of 30 s), \(people.grouped) people at the other",
                within: 100, bound: "commit: \(commit.text(digits: 1)) ms"))
    }

    private static func kill(_ server: MeasuredServer, at instant: Int) async throws {
        try await MeasuredSlots.wait(until: instant)
        await server.stop(SIGKILL)
    }
}
