import Contract

/// `GET /v1/slots` for a day with many registrations.
struct DayMeasurement: PunctualMeasurement {
    private static let slotCount = 48
    private static let newcomers = 400

    private let people: Int

    /// Spreads so many registrations over the slots of the day.
    init(registrations: Int) { people = (registrations + Self.slotCount - 1) / Self.slotCount }

    func measure(_ run: PunctualRun, _ database: BenchDatabase) async throws {
        let total = people * Self.slotCount
        Output.note("Writing \(total) registrations …")
        try await database.addPeople(people)
        let day = MeasuredSlots(opensAfter: 86_400, length: 86_400, lead: 0).start
        let slots = MeasuredSlots(first: day, length: 1_800, lead: 60, count: Self.slotCount)
        try await database.register(people, for: slots)
        let server = try await MeasuredServer.start(on: run.testbed, database, slots)
        let token = try await database.tokens(1...1)[0]
        let date = MeasuredSlots.text(day).prefix(10)
        let requests = DayRequests(
            url: "http://127.0.0.1:\(server.port)/v1/slots?date=\(date)&timeZone=UTC", token: token)
        // All others are counted, also right after people have registered.
        let others = total - Self.slotCount
        try await check(requests, others, run)
        // All requests use one connection; the first ones prepare the statements.
        _ = try await requests.milliseconds(20)
        let alone = try await requests.milliseconds(500)
        run.add(
            TableLine(
                figure: "`GET /v1/slots` of a day with \(total) registrations, 500 times",
                measured: alone.text, target: "p99 ≤ 5 ms", value: alone.p99, limit: 5))
        let tokens = try await addNewcomers(database)
        async let crowd = Self.register(tokens, for: day, at: server)
        let crowded = try await requests.milliseconds(500)
        guard try await crowd else { throw BenchError.failed("Not all people are registered.") }
        run.add(
            TableLine(
                figure: "the same while \(Self.newcomers) people register, eight at a time",
                measured: crowded.text))
        try await check(requests, others + Self.newcomers, run)
        await server.stop()
    }

    private func check(_ requests: DayRequests, _ expected: Int, _ run: PunctualRun) async throws {
        let counted = try await requests.others()
        if counted != expected { run.fault("\(counted) others are counted.") }
    }

    private func addNewcomers(_ database: BenchDatabase) async throws -> [String] {
        let first = 10_000_000
        try await database.run(
            """
            INSERT INTO users (id, name, time_zone, token_hash, created_at)
            SELECT key(2, i), 'Late ' || i, 'UTC', sha256(token(\(first) + i)::bytea), now()
            FROM generate_series(1, \(Self.newcomers)) AS i;
            """)
        return try await database.tokens((first + 1)...(first + Self.newcomers))
    }

    /// Registers all people once for the slot, eight at a time; returns whether all were accepted.
    private static func register(
        _ tokens: [String], for slot: Int, at server: MeasuredServer
    ) async throws -> Bool {
        let lanes = 8
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for token in stride(from: lane, to: tokens.count, by: lanes).map({ tokens[$0] }) {
                        let (status, _) = try await Curl.call(
                            "POST", "http://127.0.0.1:\(server.port)/v1/registrations", token: token,
                            body: #"{"task":"Write","slots":["\#(MeasuredSlots.text(slot))"]}"#)
                        if status != 201 { return false }
                    }
                    return true
                }
            }
            return try await group.reduce(true) { $0 && $1 }
        }
    }
}

/// The requests for one day, by one person.
private struct DayRequests {
    let url: String
    let token: String

    struct Times {
        let p50: Double
        let p99: Double
        let largest: Double

        var text: String {
            "p50 \(p50.text(digits: 1)), p99 \(p99.text(digits: 1)), max \(largest.text(digits: 1)) ms"
        }
    }

    private var authorization: [String] { ["--header", "Authorization: Bearer \(token)"] }

    /// Returns how many other registrations there are in the whole day.
    func others() async throws -> Int {
        struct Day: Decodable {
            struct Slot: Decodable { let others: Int }
            let slots: [Slot]
        }
        guard let answer = try await Curl.run(["--fail"] + authorization + [url]) else {
            throw BenchError.failed("The day is not answered.")
        }
        return try JSON.decode(Day.self, from: Array(answer.utf8)).slots.map(\.others).reduce(0, +)
    }

    /// Returns how long each of so many requests takes, one after the other.
    func milliseconds(_ count: Int) async throws -> Times {
        let printed = try await Curl.run(
            authorization + [
                "--output", "/dev/null", "--write-out", "%{time_total}\\n", "\(url)&n=[1-\(count)]",
            ])
        let times = (printed ?? "").split(separator: "\n").compactMap { Double($0) }.map { $0 * 1_000 }
            .sorted()
        guard times.count == count else {
            throw BenchError.failed("Only \(times.count) requests were answered.")
        }
        return Times(
            p50: times[(count - 1) / 2], p99: times[count * 99 / 100 - 1], largest: times[count - 1])
    }
}
