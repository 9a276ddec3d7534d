import Client
import Contract

enum StatsCommand {
    @Sendable static func run(_ invocation: Invocation) async throws {
        let stats = try await invocation.signedIn().stats()
        let console = invocation.console
        console.json(stats)
        for line in Table.lines(rows(stats)) { console.line(line) }
    }

    static func rows(_ stats: Stats) -> [[String]] {
        let sessions = stats.attended + stats.missed + stats.lateCancellations
        let attended = stats.attended
        let share: Text =
            sessions == 0
            ? "\(attended) of \(sessions)"
            : "\(attended) of \(sessions) (\(attended * 100 / sessions) %)"
        var rows = [
            [local("Attended"), share.local], [local("Missed"), "\(stats.missed)"],
            [local("Cancelled late"), "\(stats.lateCancellations)"],
            [local("Streak"), local("\(stats.currentStreak), the longest \(stats.longestStreak)")],
            [local("Ales"), local("\(stats.alesSent) sent, \(stats.alesReceived) received")],
            [local("Partners"), "\(stats.partnersMet)"],
        ]
        if let outcomes = stats.outcomes {
            rows.append([
                local("Outcomes"),
                local(
                    "\(outcomes.done) done (\(outcomes.donePercent) %), \(outcomes.partly) partly, "
                        + "\(outcomes.not) not"),
            ])
        }
        if let punctuality = stats.punctuality {
            let text: Text =
                "entered \(punctuality.medianSeconds) s after the room opened (median), "
                + "\(punctuality.meanSeconds) s on average"
            rows.insert([local("Punctuality"), text.local], at: 3)
        }
        return rows
    }
}
