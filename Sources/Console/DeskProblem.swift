import Contract
import Database

/// A problem that needs an operator, with the section of the guide that gives the remedy.
struct DeskProblem: Equatable, Sendable {
    enum Severity: String, Sendable {
        /// An operator should look now.
        case page
        /// An operator should look during the day.
        case ticket
    }

    let name: String
    let severity: Severity
    /// The section of the guide, as a path in the repository.
    let runbook: String
    let advice: String
    var text = ""
    var subject: String?

    private static let databaseAway = DeskProblem(
        name: "database-away", severity: .page, runbook: "docs/operate/runbook.md#databasegone",
        advice: "Look at the log of the server, and whether PostgreSQL runs.")
    private static let clockUncertain = DeskProblem(
        name: "clock-uncertain", severity: .page, runbook: "docs/operate/cluster.md#misconfiguration",
        advice: "Look at the clocks of the machines, and how long the database takes to answer.")
    private static let serverGone = DeskProblem(
        name: "server-gone", severity: .page, runbook: "docs/operate/runbook.md#serverdown",
        advice: "Others take them over as people knock. Start it again, or look why they do not.")
    private static let lateOpening = DeskProblem(
        name: "late-opening", severity: .ticket, runbook: "docs/operate/runbook.md#roomopenedlate",
        advice: "Look at what the machine and the database had to do then.")
    private static let deliveriesWait = DeskProblem(
        name: "deliveries-wait", severity: .ticket, runbook: "docs/operate/runbook.md#deliverieswait",
        advice: "Look at the hosts of deliveries: one of them may be slow or gone.")
    private static let deliveriesFail = DeskProblem(
        name: "deliveries-fail", severity: .ticket, runbook: "docs/operate/runbook.md#deliveriesfail",
        advice: "Look at the hosts of deliveries, and at the details of attempts.")
    private static let circuitsOpen = DeskProblem(
        name: "circuits-open", severity: .ticket, runbook: "docs/operate/settings.md#webhooks-and-pushes",
        advice: "Look at the hosts of deliveries.")
    private static let newReports = DeskProblem(
        name: "new-reports", severity: .ticket, runbook: "docs/operate/desk.md#use",
        advice: "Take them, one by one.")

    /// The age of the oldest due delivery from which an operator should look, in seconds.
    static let oldDelivery = 120.0
    /// The deliveries of an hour from which their failures say something, and the part of them that is too
    /// much.
    static let fewDeliveries: Int64 = 20
    static let badPart = 0.2

    var json: JSONValue {
        [
            "name": .string(name), "severity": .string(severity.rawValue), "text": .string(text),
            "subject": .optional(subject), "runbook": .string(runbook),
            "advice": .string(advice),
        ]
    }

    /// Returns the problems that need an operator, the most urgent first.
    static func find(
        figures: DeskFigures?, servers: [ServerDirectory.Listed]?, openCircuits: Int, isClockCertain: Bool
    ) -> [DeskProblem] {
        var problems: [DeskProblem] = []
        func add(_ problem: DeskProblem, _ text: String, about subject: String? = nil) {
            var problem = problem
            (problem.text, problem.subject) = (text, subject)
            problems.append(problem)
        }
        if figures == nil || servers == nil { add(databaseAway, "The database does not answer.") }
        if !isClockCertain {
            add(
                clockUncertain,
                "This server does not know the time of the database: nothing that is due is done.")
        }
        for server in servers ?? [] where !server.isRunning && server.rooms > 0 {
            let name = server.entry.shownName
            add(serverGone, "Server \(name) is gone, with \(counted(server.rooms, "room")).", about: name)
        }
        guard let figures else { return problems }
        if figures.worstLateness > LiveBoard.objectiveSeconds {
            add(lateOpening, "A slot opened \(rounded(figures.worstLateness)) s late.")
        }
        if figures.oldestSeconds > oldDelivery {
            add(deliveriesWait, "A delivery has been due for \(rounded(figures.oldestSeconds)) s.")
        }
        if figures.settled >= fewDeliveries, Double(figures.failed) > badPart * Double(figures.settled) {
            let part = "\(figures.failed) of \(figures.settled)"
            add(deliveriesFail, "\(part) deliveries of the last hour have failed.")
        }
        if openCircuits > 0 {
            let hosts = counted(openCircuits, "host gets", "hosts get")
            add(circuitsOpen, "\(hosts) no deliveries for a while: no answer came.")
        }
        if figures.newReports > 0 {
            let reports = counted(figures.newReports, "report waits", "reports wait")
            add(newReports, "\(reports) for an operator.")
        }
        return problems
    }

    private static func rounded(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
}
