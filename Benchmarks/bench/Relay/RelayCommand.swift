import Contract
import Glibc

/// `bench relay`: the load generator.
enum RelayCommand {
    static let help = """
        bench relay --port PORT [options]

        Drives a relay on loopback, checks every delivery, and prints one line of JSON. Exit code 1 when a
        delivery was lost, late, echoed, misrouted or doubled, or a connection failed.

          --targets FILE     paths of sockets, as `bench rooms` prints them; without it the rooms are made up,
                             which only the floor takes
          --rooms N          so many rooms (default 1000), of
          --room-size K      so many members each (2)
          --inflight M       closed loop: every sender has M ales under way (1)
          --rate R           open loop: R ales a second by random members, each timed from when it was due
          --version 1|2      of the socket (1)
          --duration S       seconds that are measured (5); 0: connect, be silent and probe only
          --warmup S         seconds before that (1)
          --hold S           silence before memory is measured (0.3)
          --probe N          rooms that are tried with a single ale first (1000)
          --parallel N       handshakes at once (64)
          --spin             poll without sleeping; give the generator a core of its own
          --server-pid PID   whose CPU and memory to measure
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(
            words,
            values: [
                "port", "targets", "rooms", "room-size", "inflight", "rate", "version", "duration", "warmup",
                "hold", "probe", "parallel", "server-pid",
            ], switches: ["spin"])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let plan = try plan(options)
        try OpenFiles.require(plan.memberCount)
        var run = try RelayRun(plan)
        let report = run.run()
        Output.say(report.json)
        for complaint in report.complaints { Output.warn(complaint) }
        return report.isFaultless ? 0 : 1
    }

    private static func plan(_ options: Options) throws(BenchError) -> RelayPlan {
        let size = try options.integer("room-size", default: 2, in: 2...1000)
        let rooms = try options.integer("rooms", default: 1000, in: 1...100_000)
        let rate = try options.decimal("rate", default: 0, in: 0...10_000_000)
        let inFlight = try options.integer("inflight", default: 1, in: 1...4096)
        let process = try options.integer("server-pid", default: 0, in: 0...Int(Int32.max))
        guard options.text("port") != nil else { throw .usage("--port is missing.") }
        return RelayPlan(
            port: UInt16(try options.integer("port", default: 1, in: 1...65_535)),
            version: try options.integer("version", default: 1, in: 1...2), roomSize: size,
            paths: try paths(options.text("targets"), rooms: rooms, size: size),
            load: rate > 0 ? .open(perSecond: rate) : .closed(inFlight: inFlight),
            warmUp: try options.decimal("warmup", default: 1, in: 0...3600),
            duration: try options.decimal("duration", default: 5, in: 0...86_400),
            hold: try options.decimal("hold", default: 0.3, in: 0...3600),
            probes: try options.integer("probe", default: 1000, in: 0...100_000),
            parallel: try options.integer("parallel", default: 64, in: 1...4096), spins: options.has("spin"),
            serverProcesses: process > 0 ? [process] : [])
    }

    private static func paths(_ file: String?, rooms: Int, size: Int) throws(BenchError) -> [String] {
        guard let file else {
            var random = SystemRandomNumberGenerator()
            return (0..<rooms).flatMap { _ in
                Array(repeating: Routes.socket(room: Identifier.v4(using: &random)), count: size)
            }
        }
        let lines = try TextFile.read(file).split(separator: "\n").prefix(rooms * size).map { String($0) }
        guard lines.count == rooms * size else {
            throw .failed(
                "\(file) has \(lines.count) targets, and \(rooms) rooms of \(size) need \(rooms * size).")
        }
        return lines
    }
}
