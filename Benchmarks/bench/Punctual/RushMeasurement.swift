import Contract
import Reactor

/// People whose streams open within a second, and whose rooms open at the same time, so that all enter at
/// once.
struct RushMeasurement: PunctualMeasurement {
    let people: Int
    /// Whether each client asks for the room and the registration before it enters, as older ones do.
    let asks: Bool

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        // A stream, a socket and a connection of requests for each person.
        try OpenFiles.require(3 * people)
        try await database.addPeople(people)
        var slots = MeasuredSlots(hourAfter: 60)
        try await database.register(people, for: slots)
        slots.open(after: 20)
        let settings = MeasuredServer.Settings(lateSeconds: 300, arguments: ["--workers", "2"])
        let server = try await MeasuredServer.start(on: run.testbed, database, slots, settings)
        let group = try EventLoopGroup(count: 1, name: "rush")
        defer { group.shutdown() }
        let found = await RushRun.run(
            try await database.tokens(1...people), to: try Loopback.address(port: server.port),
            due: Timestamp(seconds: Int64(slots.due)), patience: .seconds(60), asks: asks, on: group.loops[0])
        await server.stop()
        add(found, to: run)
    }

    private func add(_ found: RushRun.Findings, to run: PunctualRun) {
        let crowd = "\(people.grouped) people\(asks ? " who ask first" : "")"
        run.add(
            TableLine(
                figure: "\(crowd): streams opened within a second",
                measured: "the last one after \(found.lastStream.text(digits: 0)) ms; "
                    + "\(found.refusedStreams) refused or put off",
                target: "none refused", value: Double(found.refusedStreams), limit: 0))
        let missing = people - found.entries.count
        if missing > 0 || found.lost > 0 {
            run.fault("\(missing) people did not get into their rooms; \(found.lost) connections were lost.")
        }
        if found.entries.isEmpty { return }
        let (median, last) = TableLine.ranks(found.entries)
        run.add(
            TableLine(
                figure: "\(crowd): in the room after the opening",
                measured: "median \(median.text(digits: 0)), last \(last.text(digits: 0)) ms; "
                    + "\(found.refused) refused at first, \(found.gaveUp) gave up",
                target: "last ≤ 1,500 ms, none refused",
                value: missing + found.refused == 0 ? last : TableLine.missing, limit: 1_500))
    }
}
