import Contract
import Reactor

/// `bench notices`: measures how late notifications arrive.
enum NoticesCommand {
    static let help = """
        bench notices --port PORT --tokens FILE --slot TIME --lead S [options]

        Holds an event stream for each token on loopback, and prints one line of JSON: the milliseconds from \
        the
        instant due, which is S seconds before the slot, to the `room.opened` at the client's socket. \
        Everybody
        has to be registered for the slot. Exit code 1 when somebody was not told, was told twice or too \
        early,
        or a stream broke.

          --tokens FILE       one token a line
          --slot TIME         when the slot starts (RFC 3339)
          --slots N           so many slots in a row, all of them in one measurement (1)
          --slot-seconds S    the length of one (1800)
          --lead S            seconds before its start at which a slot's rooms open
          --patience S        seconds after the last instant due for everybody to be told (30)
          --parallel N        streams that are opened at a time (200)
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(
            words,
            values: [
                "port", "tokens", "slot", "slots", "slot-seconds", "lead", "patience", "parallel",
            ])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let plan = try plan(options)
        try OpenFiles.require(plan.tokens.count)
        return Program.perform {
            let address = try Loopback.address(port: plan.port)
            let group = try EventLoopGroup(count: 1, name: "notices")
            let findings = try await NoticeRun.run(plan, to: address, on: group.loops[0])
            let report = NoticeReport(people: plan.tokens.count, findings: findings)
            if let reason = findings.reason { Output.warn(reason) }
            Output.say(report.json)
            return report.isFaultless ? 0 : 1
        }
    }

    static func plan(_ options: Options) throws(BenchError) -> NoticePlan {
        for name in ["port", "tokens", "slot", "lead"] where options.text(name) == nil {
            throw .usage("--\(name) is missing.")
        }
        guard let first = options.text("slot").flatMap({ Timestamp($0) }) else {
            throw .usage("--slot has to be the start of a slot, like 2027-03-28T09:30:00Z.")
        }
        let length = try options.integer("slot-seconds", default: 1800, in: 1...86_400)
        let count = try options.integer("slots", default: 1, in: 1...1_000)
        let file = options.text("tokens") ?? ""
        let tokens = try TextFile.read(file).split(separator: "\n").map { String($0) }
        guard !tokens.isEmpty else { throw .failed("\(file) is empty.") }
        return NoticePlan(
            port: UInt16(try options.integer("port", default: 1, in: 1...65_535)), tokens: tokens,
            slots: (0..<count).map { first.adding(.seconds(length * $0)) },
            lead: .seconds(try options.integer("lead", default: 0, in: 0...86_400)),
            patience: .seconds(try options.integer("patience", default: 30, in: 1...3_600)),
            parallel: try options.integer("parallel", default: 200, in: 1...10_000))
    }
}
