extension ServerCommand {
    /// The name of a command, as it is typed.
    package enum Name: String, CaseIterable, Sendable {
        case serve, migrate, healthcheck, deliveries, explain, cluster, backup, restore, renumber, verify
        case operators = "operator"
        case signUpCodes = "signup-code"
        case audit, help, version

        /// The words that follow the name.
        private var arguments: String {
            switch self {
            case .explain: "SLOT"
            case .backup, .restore: "FILE"
            case .operators: "add, list, disable or reset"
            case .signUpCodes: "add, list or end"
            case .audit: "verify or cut"
            default: ""
            }
        }

        /// The error of a command without the word that has to follow it.
        var missingArgument: ConfigurationError {
            let meaning =
                switch self {
                case .explain: ", the start of a slot, such as 2027-03-28T09:00:00Z"
                case .backup: ", the path of a new file"
                case .restore: ", the path of a backup"
                default: ""
                }
            return .missingArgument(of: rawValue, arguments + meaning)
        }

        /// The line about the command among all commands.
        private var summary: String {
            switch self {
            case .serve: "runs the server (the default)"
            case .migrate: "brings the database's schema up to date"
            case .healthcheck: "succeeds when the server is ready"
            case .deliveries: "lists what was sent to webhooks and devices, or sends one of them again"
            case .explain: "explains the rooms of a slot, person by person"
            case .cluster: "lists the servers, and whether each of them reaches each"
            case .backup: "writes the whole database into a new file"
            case .restore: "brings a backup into an empty database, whole or not at all"
            case .renumber: "continues all ids after a restore by other means"
            case .verify: "checks the promises that rows can show"
            case .operators: "makes, lists, disables and resets the operators of the desk"
            case .signUpCodes: "makes, lists and ends the codes that SIGNUPS=code asks for"
            case .audit: "verifies the audit log, or removes its beginning"
            case .help: "prints this text"
            case .version: "prints the version"
            }
        }

        /// The sentences and flags of the help of the command alone.
        private static let details: [Name: String] = [
            .serve:
                """
            SIGTERM and SIGINT drain the server: it takes nothing new, hands its rooms to other servers,
            and ends after 33 s at most. A second signal ends it at once.
            """,
            .migrate: "A server does this itself as it starts. Servers may run meanwhile.",
            .healthcheck:
                "It asks for /readyz at HOST and PORT. The exit code is 1 if the server is not ready.",
            .deliveries:
                """
            It lists the latest 100, the latest first. Times are in UTC.

              --failing     only those that failed, or that failed before and are tried again
              --replay ID   sends one again that is over; ID is the number, or msg_ and the number

              --replay-host HOST     sends all failed ones to that host again, or
              --replay-endpoint ID   to that endpoint,
                --since TIME         which failed since that time
                --until TIME         and until that one
            """,
            .explain:
                """
            SLOT is the start of the slot, such as 2027-03-28T09:00:00Z.

              --for MINUTES   the slot of that length, where slots have several
            """,
            .cluster:
                """
            The exit code is 1 if a server does not reach another one.

              --balancer URL   also says to which server that balancer brings the sockets of a room
            """,
            .backup:
                """
            FILE is the path of a file that does not exist yet. It needs DATABASE_URL, or the DATA_DIR of
            the private database, and pg_dump of the database's version or a later one. Servers may run
            meanwhile. Keep a checksum beside the file.
            """,
            .restore:
                """
            It needs DATABASE_URL, or the DATA_DIR of a new private database, and no server may run. What
            is there afterwards goes on with ids that the lost database never gave out.

              --without-deliveries   for a copy that sends nothing: it disables all endpoints
            """,
            .renumber:
                """
            Run it after pg_restore, psql or point-in-time recovery, before a server starts. It lets ids
            jump beyond those that the lost database may have given out.
            """,
            .verify:
                "The exit code is 1 if a promise is broken. It prints each, with the rows that break it.",
            .operators:
                """
              add NAME --role ROLE   makes an operator; ROLE is viewer, support or admin
              list                   lists the operators
              disable NAME           ends the sessions of an operator, who cannot sign in again
              reset NAME             gives an operator a new password, and lets them in again

              --password-file FILE   the password, which is else asked for
              --code                 with one-time codes, whose secret is printed once
            """,
            .signUpCodes:
                """
              add             makes a code, and prints it once
                --uses N      for so many accounts, by default 1
                --until TIME  until that time, by default for 7 days
              list            lists the codes that are good
              end ID          ends a code
            """,
            .audit:
                """
              verify            computes the chain of the audit log again
                --head H        and fails unless the chain contains that head
              cut               removes what is older than a time
                --before TIME   the time, such as 2027-03-28T09:00:00Z
            """,
        ]

        private var example: String? {
            switch self {
            case .serve: "SLOT_SECONDS=60 LEAD_SECONDS=10 letsswitch-server serve --port 9000"
            case .migrate: "DATABASE_URL_FILE=/run/secrets/database_url letsswitch-server migrate"
            case .deliveries: "letsswitch-server deliveries --failing"
            case .explain: "letsswitch-server explain 2027-03-28T09:00:00Z"
            case .backup: #"letsswitch-server backup "/backups/letsswitch-$(date +%F).dump""#
            case .restore: "letsswitch-server restore /backups/letsswitch-2027-03-28.dump"
            case .operators: "letsswitch-server operator add anna --role admin --code"
            case .signUpCodes: "letsswitch-server signup-code add --uses 20 --until 2027-04-01T00:00:00Z"
            case .audit: "letsswitch-server audit cut --before 2027-01-01T00:00:00Z"
            case .healthcheck, .cluster, .renumber, .verify, .help, .version: nil
            }
        }

        /// The text that the command prints with `--help`.
        package var helpText: String {
            let words = [rawValue, arguments, "[FLAGS]"].filter { !$0.isEmpty }.joined(separator: " ")
            let sentence = "\(summary.prefix(1).uppercased())\(summary.dropFirst())."
            return [
                "Usage: letsswitch-server \(words)", sentence, Self.details[self] ?? "",
                "Each setting that letsswitch-server --help lists can be a flag too.",
                example.map { "Example:\n  \($0)" } ?? "",
            ].filter { !$0.isEmpty }.joined(separator: "\n\n")
        }

        /// The line in the list of commands.
        fileprivate var line: String { "  " + padded("\(rawValue) \(arguments)", to: 39) + summary }
    }

    /// The text that `--help` prints.
    package static var helpText: String {
        let commands = Name.allCases.filter { $0 != .help && $0 != .version }.map(\.line)
        let settings = Setting.groups.map { title, settings in
            let lines = settings.map { setting in
                let name = padded("\(setting.flag) VALUE", to: 38) + padded(setting.name, to: 30)
                return "  \(name)\(setting.meaning) [\(setting.standard)]"
            }
            return "\(title):\n" + lines.joined(separator: "\n")
        }
        return """
            Usage: letsswitch-server [COMMAND] [FLAGS]

            \(commands.joined(separator: "\n"))

              COMMAND --help                         what that command takes
              --help                                 this text
              --version                              the version

            Settings, as a flag or in the environment, with their defaults. Each may also come from a file:
            --port-file FILE or PORT_FILE=FILE. Lists are separated by commas.

            \(settings.joined(separator: "\n\n"))
            """
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
