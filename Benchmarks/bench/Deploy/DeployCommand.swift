import Reactor

/// `bench deploy`: restarts servers one after the other, under load.
enum DeployCommand {
    static let help = """
        bench deploy [options]

        Starts servers on one PostgreSQL behind a round-robin balancer, opens rooms of two people, and has \
        them
        send ales while one server after the other gets SIGTERM and is started again on its disk. Prints one
        line of JSON: what became of the ales, how many people came back in the same run of their room
        (`recovered`) or in a new one (`begun_anew`), and the milliseconds of an ale from its sender to the
        other, before, while servers restarted, and afterwards. Exit code 1 when an ale was lost or doubled, \
        or
        a room began anew.

          --servers N     the number of servers (3)
          --rooms N       the number of rooms (500)
          --rate N        the ales that all together send in a second (2000)
          --quiet S       seconds of sending before the first restart and after the last one (5)
          --pause S       seconds between a restart and the next one (2)
          --programs DIR  the folder of programs that are built already (that of bench)
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(
            words, values: ["servers", "rooms", "rate", "quiet", "pause", "programs"])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let plan = DeployPlan(
            servers: try options.integer("servers", default: 3, in: 2...16),
            rooms: try options.integer("rooms", default: 500, in: 1...20_000),
            rate: try options.integer("rate", default: 2000, in: 1...20_000),
            quietSeconds: try options.integer("quiet", default: 5, in: 1...600),
            pauseSeconds: try options.integer("pause", default: 2, in: 0...600))
        // Each connection has an end here, and two at the balancer.
        try OpenFiles.require(plan.rooms * 2 * 3 + 200)
        let testbed = try Testbed.of(programs: options.text("programs"))
        return Program.perform {
            try await testbed.lend {
                let report = try await DeployRun(plan, on: testbed).run()
                Output.say(report.json)
                return report.isFaultless ? 0 : 1
            }
        }
    }
}
