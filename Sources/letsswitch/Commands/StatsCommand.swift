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
        let share = sessions == 0 ? "" : " (\(stats.attended * 100 / sessions) %)"
        var rows = [
            ["Attended", "\(stats.attended) of \(sessions)\(share)"], ["Missed", "\(stats.missed)"],
            ["Cancelled late", "\(stats.lateCancellations)"],
            ["Streak", "\(stats.currentStreak), the longest \(stats.longestStreak)"],
            ["Ales", "\(stats.alesSent) sent, \(stats.alesReceived) received"],
            ["Partners", "\(stats.partnersMet)"],
        ]
        if let outcomes = stats.outcomes {
            rows.append([
                "Outcomes",
                "\(outcomes.done) done (\(outcomes.donePercent) %), \(outcomes.partly) partly, "
                    + "\(outcomes.not) not",
            ])
        }
        if let punctuality = stats.punctuality {
            let text =
                "entered \(punctuality.medianSeconds) s after the room opened (median), "
                + "\(punctuality.meanSeconds) s on average"
            rows.insert(["Punctuality", text], at: 3)
        }
        return rows
    }
}
