/// `bench cluster`: measures what several servers cost, and how soon rooms change their server.
enum ClusterCommand {
    static let help = """
        bench cluster [options]

        Measures several servers beside one, with one worker each, and prints a table.
        `script/bench --cluster` builds the programs first.

          --only A,B,…    some of \(ClusterRow.allCases.map(\.rawValue).joined(separator: " ")) (all)
          --rounds N      the rounds of each row (5); a figure is their median
          --rooms N       the rooms of two that change their server (10000)
          --seconds S     how long each load is measured (3)
          --programs DIR  the folder of programs that are built already (that of bench)

        Everything runs on this machine, with a PostgreSQL of its own. The loads are measured with all servers
        on core 0; the load generator has another one. In a network namespace of its own (`unshare --net`, and
        `ip link set lo up`), `lost` has the kernel drop what is sent to the lost server or by it. Elsewhere
        it only stops the process. Exits with 1 when a delivery was wrong or a device did not come back; a
        missed target is no error.
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(words, values: ["only", "rounds", "rooms", "seconds", "programs"])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let names =
            options.text("only")?.split(separator: ",").map(String.init)
            ?? ClusterRow.allCases.map(\.rawValue)
        let rows = try names.map { name throws(BenchError) in
            guard let row = ClusterRow(rawValue: name) else {
                throw .usage("There is nothing called \(name): bench cluster --help lists the rows.")
            }
            return row
        }
        let plan = ClusterRun.Plan(
            rounds: try options.integer("rounds", default: 5, in: 1...100),
            rooms: rooms(try options.integer("rooms", default: 10_000, in: 2...100_000)),
            seconds: try options.decimal("seconds", default: 3, in: 0.1...600))
        let testbed = try Testbed.of(programs: options.text("programs"))
        return Program.perform {
            try await testbed.lend {
                let run = ClusterRun(testbed, plan)
                try await measure(rows, run)
                return run.faults == 0 ? 0 : 1
            }
        }
    }

    /// Returns the number of rooms whose devices all may be connected to one server, at most `wanted`.
    private static func rooms(_ wanted: Int) -> Int {
        // A server has the files of its database, its listeners and its rooms besides.
        let possible = (OpenFiles.limit - 200) / 2
        guard possible < wanted else { return wanted }
        Output.warn("only \(OpenFiles.limit) open files are allowed: \(possible) rooms instead of \(wanted)")
        return possible
    }

    private static func measure(_ rows: [ClusterRow], _ run: ClusterRun) async throws {
        try await run.testbed.startPostgres()
        let before = try Machine.load
        for row in rows {
            Output.note("\(row.rawValue) …")
            try await row.measure(run)
        }
        Output.say(
            """

            \(try Machine.description); medians of \(run.plan.rounds) rounds; \
            load before \(before), after \(try Machine.load)

            \(([TableLine.heading] + run.lines.map(\.text)).joined(separator: "\n"))
            """)
        if run.faults > 0 { Output.warn("\(run.faults) runs were wrong.") }
    }
}
