import Contract
import Reactor

/// `bench webhooks`: measures how late webhooks arrive.
enum WebhooksCommand {
    static let help = """
        bench webhooks --port PORT --people N --slot TIME [options]

        Receives webhooks on loopback, and prints one line of JSON: the milliseconds from the instant due, \
        which is
        S seconds before the slot, to the `room.opened` at the receiver. Person n, from 0 on, has one \
        webhook, at
        http://127.0.1.(1 + n modulo H):PORT/n. Exit code 1 when somebody was not told, was told twice or \
        too early.

          --people N          how many have a webhook here
          --hosts H           addresses that take them, 127.0.1.1 and on (1)
          --silent D          addresses where nobody answers, 127.0.2.1 and on (0)
          --slot TIME         when the slot starts (RFC 3339)
          --slots N           so many slots in a row, all of them in one measurement (1)
          --slot-seconds S    the length of one (1800)
          --lead S            seconds before its start at which a slot's rooms open (0)
          --patience S        seconds after the last instant due for everybody to be told (30)
        """

    static func run(_ words: ArraySlice<String>) throws(BenchError) -> CInt {
        let options = try Options(
            words,
            values: [
                "port", "people", "hosts", "silent", "slot", "slots", "slot-seconds", "lead", "patience",
            ])
        if options.wantsHelp {
            Output.say(help)
            return 0
        }
        let plan = try plan(options)
        return MainThread.run {
            do {
                let group = try EventLoopGroup(count: 1, name: "webhooks")
                let findings = try await WebhookRun.run(plan, on: group.loops[0])
                let report = NoticeReport(people: plan.people, findings: findings)
                if let reason = findings.reason { Output.warn(reason) }
                Output.say(report.json)
                return report.isFaultless ? 0 : 1
            } catch {
                Output.warn("\(error)")
                return 1
            }
        }
    }

    static func plan(_ options: Options) throws(BenchError) -> WebhookPlan {
        for name in ["port", "people", "slot"] where options.text(name) == nil {
            throw .usage("--\(name) is missing.")
        }
        guard let first = options.text("slot").flatMap({ Timestamp($0) }) else {
            throw .usage("--slot has to be the start of a slot, like 2027-03-28T09:30:00Z.")
        }
        let length = try options.integer("slot-seconds", default: 1800, in: 1...86_400)
        let count = try options.integer("slots", default: 1, in: 1...1_000)
        return WebhookPlan(
            port: UInt16(try options.integer("port", default: 1, in: 1...65_535)),
            people: try options.integer("people", default: 1, in: 1...1_000_000),
            hosts: try options.integer("hosts", default: 1, in: 1...250),
            silent: try options.integer("silent", default: 0, in: 0...250),
            slots: (0..<count).map { first.adding(.seconds(length * $0)) },
            lead: .seconds(try options.integer("lead", default: 0, in: 0...86_400)),
            patience: .seconds(try options.integer("patience", default: 30, in: 1...3_600)))
    }
}
