/// What `letsswitch-server` was asked to do.
package enum ServerCommand: Equatable, Sendable {
    case serve(ServerConfiguration)
    case migrate(ServerConfiguration)
    case healthcheck(ServerConfiguration)
    case deliveries(ServerConfiguration, DeliveriesRequest)
    case help
    case version

    private enum Name: String, CaseIterable { case serve, migrate, healthcheck, deliveries, help, version }

    /// Reads the arguments that follow the program's name: a command, `serve` where there is none, and flags.
    package init(
        arguments: [String], environment: [String: String],
        readFile: (String) throws -> String = { try SmallFile.read($0) }
    ) throws(ConfigurationError) {
        // Help is given whatever else is wrong.
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help
            return
        }
        if arguments.contains("--version") {
            self = .version
            return
        }
        var flags = arguments
        var name = Name.serve
        if let first = arguments.first, !first.hasPrefix("-") {
            guard let known = Name(rawValue: first) else {
                throw .unknownCommand(
                    first, suggestion: Spelling.nearest(to: first, in: Name.allCases.map(\.rawValue)))
            }
            name = known
            flags.removeFirst()
        }
        func configuration() throws(ConfigurationError) -> ServerConfiguration {
            try ServerConfiguration(arguments: flags, environment: environment, readFile: readFile)
        }
        switch name {
        case .serve: self = .serve(try configuration())
        case .migrate: self = .migrate(try configuration())
        case .healthcheck: self = .healthcheck(try configuration())
        case .deliveries:
            let request = try DeliveriesRequest(takingFrom: &flags)
            self = .deliveries(try configuration(), request)
        case .help: self = .help
        case .version: self = .version
        }
    }

    /// What `--help` prints.
    package static var helpText: String {
        let rows = Setting.allCases.map { setting in
            let about = setting.description
            let name = padded("\(setting.flag) VALUE", to: 37) + padded(setting.name, to: 29)
            return "  \(name)\(about.meaning) [\(about.standard)]"
        }
        return """
            Usage: letsswitch-server [serve | migrate | healthcheck | deliveries] [flags]

              serve         runs the server (the default); SIGTERM drains it
              migrate       brings the database's schema up to date
              healthcheck   exit code 0 when the server at HOST:PORT is ready
              deliveries    lists what went to webhooks and devices; --failing: only what did not arrive;
                            --replay ID: makes one again that is over

            Settings, as a flag or in the environment, with their defaults. Each may also come from a file:
            --port-file FILE or PORT_FILE=FILE.

            \(rows.joined(separator: "\n"))

              --help        this text
              --version     the version

            Examples:
              letsswitch-server --port 9000
              SLOT_SECONDS=60 LEAD_SECONDS=10 letsswitch-server
              DATABASE_URL_FILE=/run/secrets/database_url letsswitch-server migrate
            """
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
