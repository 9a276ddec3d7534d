import Contract
import Database

/// Something that needs somebody, with the place in the guide that says what to do.
struct DeskProblem: Equatable, Sendable {
    enum Severity: String, Sendable {
        /// Somebody should look now.
        case page
        /// Somebody should look during the day.
        case ticket
    }

    let name: String
    let severity: Severity
    let text: String
    var subject: String?
    let advice: String
    let anchor: String

    private static let guide = "docs/operating.md"
    /// The age of the oldest due delivery from which somebody should look, in seconds.
    static let oldDelivery = 120.0
    /// The deliveries of an hour from which their failures say something, and the part of them that is too
    /// much.
    static let fewDeliveries: Int64 = 20
    static let badPart = 0.2

    var json: JSONValue {
        [
            "name": .string(name), "severity": .string(severity.rawValue), "text": .string(text),
            "subject": .optional(subject), "runbook": .string("\(Self.guide)#\(anchor)"),
            "advice": .string(advice),
        ]
    }

    /// Returns what needs somebody, the most urgent first.
    static func find(
        figures: DeskFigures?, servers: [ServerDirectory.Listed]?, openCircuits: Int, isClockCertain: Bool
    ) -> [DeskProblem] {
        var problems: [DeskProblem] = []
        if figures == nil || servers == nil {
            problems.append(
                DeskProblem(
                    name: "database-away", severity: .page, text: "The database does not answer.",
                    advice: "Look at the log of the server, and whether PostgreSQL runs.",
                    anchor: "something-is-wrong"))
        }
        if !isClockCertain {
            problems.append(
                DeskProblem(
                    name: "clock-uncertain", severity: .page,
                    text: "This server does not know the time of the database: nothing that is due is done.",
                    advice: "Look at the clocks of the machines, and how long the database takes to answer.",
                    anchor: "something-is-wrong"))
        }
        for server in servers ?? [] where !server.isRunning && server.rooms > 0 {
            problems.append(
                DeskProblem(
                    name: "server-gone", severity: .page,
                    text:
                        "Server \(server.entry.shownName) is gone, with \(counted(server.rooms, "room")).",
                    subject: server.entry.shownName,
                    advice: "Others take them over as people knock. Start it again, or look why they do not.",
                    anchor: "several-servers"))
        }
        guard let figures else { return problems }
        if figures.worstLateness > LiveBoard.objectiveSeconds {
            problems.append(
                DeskProblem(
                    name: "late-opening", severity: .ticket,
                    text: "A slot opened \(rounded(figures.worstLateness)) s late.",
                    advice: "Look at what the machine and the database had to do then.", anchor: "metrics"))
        }
        if figures.oldestSeconds > oldDelivery {
            problems.append(
                DeskProblem(
                    name: "deliveries-wait", severity: .ticket,
                    text: "A delivery has been due for \(rounded(figures.oldestSeconds)) s.",
                    advice: "Look at the hosts of deliveries: one of them may be slow or gone.",
                    anchor: "outbound-notifications"))
        }
        if figures.settled >= fewDeliveries,
            Double(figures.failed) > badPart * Double(figures.settled)
        {
            problems.append(
                DeskProblem(
                    name: "deliveries-fail", severity: .ticket,
                    text: "\(figures.failed) of \(figures.settled) deliveries of the last hour have failed.",
                    advice: "Look at the hosts of deliveries, and at the details of attempts.",
                    anchor: "outbound-notifications"))
        }
        if openCircuits > 0 {
            problems.append(
                DeskProblem(
                    name: "circuits-open", severity: .ticket,
                    text: counted(openCircuits, "host gets", "hosts get")
                        + " no deliveries for a while: no answer came.",
                    advice: "Look at the hosts of deliveries.", anchor: "outbound-notifications"))
        }
        if figures.newReports > 0 {
            problems.append(
                DeskProblem(
                    name: "new-reports", severity: .ticket,
                    text: "\(counted(figures.newReports, "report waits", "reports wait")) for an operator.",
                    advice: "Take them, one by one.", anchor: "people"))
        }
        return problems
    }

    private static func rounded(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
}
