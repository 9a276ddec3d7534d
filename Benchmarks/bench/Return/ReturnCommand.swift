import Client
import Glibc

/// `bench return`: measures how soon all members are back after a restart.
enum ReturnCommand {
    static let help = """
        bench return --port PORT --targets FILE --server-pid PID --start COMMAND [options]

        Holds connections of the client library in their rooms on loopback, ends the server, starts another
        one, and prints one line of JSON: the milliseconds from the first answer of /readyz until each was \
        back
        in its room, and what became of the ales that were sent before, meanwhile and afterwards. Exit code 1
        when a member did not come back, an ale was doubled, or one of before or afterwards was lost.

          --targets FILE     paths of sockets, as `bench rooms` prints them, for rooms of
          --room-size K      so many members each (2)
          --clients N        of these, so many: a multiple of K (1000)
          --server-pid PID   the server that is ended
          --signal NAME      KILL, as in a crash, or TERM (KILL)
          --start COMMAND    for sh: starts the next server on the same port. It goes on running afterwards, \
          as
                             process `server_pid` where the command begins with exec
          --patience S       seconds for the server to be ready, and for all members to be back (60)
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(
            words,
            values: [
                "port", "targets", "clients", "room-size", "server-pid", "signal", "start", "patience",
            ])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let plan = try plan(options)
        try OpenFiles.require(plan.paths.count)
        return Program.perform {
            let report = try await ReturnRun(plan).run()
            Output.say(report.json)
            return report.isFaultless ? 0 : 1
        }
    }

    private static func plan(_ options: Options) throws(BenchError) -> ReturnPlan {
        for name in ["port", "targets", "server-pid", "start"] where options.text(name) == nil {
            throw .usage("--\(name) is missing.")
        }
        let signals = ["KILL": SIGKILL, "TERM": SIGTERM]
        guard let signal = signals[options.text("signal") ?? "KILL"] else {
            throw .usage("--signal has to be KILL or TERM.")
        }
        let size = try options.integer("room-size", default: 2, in: 2...1000)
        let clients = try options.integer("clients", default: 1000, in: size...100_000)
        guard clients.isMultiple(of: size) else {
            throw .usage("--clients has to be a multiple of --room-size, which is \(size).")
        }
        let file = options.text("targets") ?? ""
        let lines = try TextFile.read(file).split(separator: "\n").prefix(clients).map { String($0) }
        guard lines.count == clients else {
            throw .failed("\(file) has \(lines.count) targets, and \(clients) clients need as many.")
        }
        return ReturnPlan(
            port: UInt16(try options.integer("port", default: 1, in: 1...65_535)), roomSize: size,
            paths: lines,
            serverProcess: pid_t(try options.integer("server-pid", default: 0, in: 2...Int(Int32.max))),
            signal: signal, start: options.text("start") ?? "",
            patience: .seconds(try options.integer("patience", default: 60, in: 1...3600)))
    }
}
