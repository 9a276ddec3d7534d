/// `bench punctual`: measures the punctuality of the server, and prints a table.
enum PunctualCommand {
    static let help = """
        bench punctual [options]

        Measures the punctuality of the server, and prints a table. `script/bench --punctual` builds the
        programs first; `script/bench --deliveries` has the rows of outbound notifications.

          --only A,B,…    some of \(PunctualRow.standard.prefix(7).joined(separator: " "))
                          \(PunctualRow.standard.dropFirst(7).joined(separator: " ")) (all), \
        \(PunctualRow.deliveries.joined(separator: " ")). The
                          number at the end of a name is the size, and may be another one; `streams-200` is
                          `streams` with 200 people
          --slots N       the number of slots of `ordinary`, `webhooks` and `dead-hosts` (10)
          --idle S        the seconds without work for `idle` (600)
          --programs DIR  the folder of programs that are built already (that of bench)

        Everything runs on this machine, with a PostgreSQL that has the settings of the server's private one.
        People and registrations are written straight to the database. Nothing else should run meanwhile.
        Exits with 1 when a person was not told, was told twice or early; a missed target is no error.
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(words, values: ["only", "slots", "idle", "programs"])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let names = options.text("only")?.split(separator: ",").map(String.init) ?? PunctualRow.standard
        let rows = try names.map { name throws(BenchError) in try PunctualRow(name) }
        let slots = try options.integer("slots", default: 10, in: 1...1_000)
        let idle = try options.integer("idle", default: 600, in: 1...86_400)
        let testbed = try Testbed.of(programs: options.text("programs"))
        return Program.perform {
            try await testbed.lend {
                let run = PunctualRun(testbed, slots: slots, idleSeconds: idle)
                try await measure(rows, run)
                return run.faults == 0 ? 0 : 1
            }
        }
    }

    private static func measure(_ rows: [PunctualRow], _ run: PunctualRun) async throws {
        try await run.testbed.startPostgres()
        let before = try Machine.load
        for row in rows { try await run.measure(row) }
        let version = try await run.testbed.database("postgres").run("SHOW server_version")
        Output.say(
            """

            \(try Machine.description), PostgreSQL \(version.prefix { $0 != " " }); \
            load before \(before), after \(try Machine.load)

            \(([TableLine.heading] + run.lines.map(\.text)).joined(separator: "\n"))
            """)
        if run.faults > 0 { Output.warn("\(run.faults) runs were wrong.") }
    }
}
