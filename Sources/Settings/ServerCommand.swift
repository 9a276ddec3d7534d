package import Contract
import Reactor

/// A command of `letsswitch-server`.
package enum ServerCommand: Equatable, Sendable {
    case serve(ServerConfiguration)
    case migrate(ServerConfiguration)
    case healthcheck(ServerConfiguration)
    case deliveries(ServerConfiguration, DeliveriesRequest)
    /// Explains the match of the slot with that start, and of that length; nil for the usual one.
    case explain(ServerConfiguration, Timestamp, minutes: Int?)
    /// Prints the servers of the database, and where the balancer at that URL brings sockets.
    case cluster(ServerConfiguration, balancer: WebURL?)
    case help
    case version

    private enum Name: String, CaseIterable {
        case serve, migrate, healthcheck, deliveries, explain, cluster, help, version
    }

    /// Reads the arguments that follow the program's name: a command, by default `serve`, and flags.
    package init(
        arguments: [String], environment: [String: String],
        readFile: (String) throws -> String = { try SmallFile.read($0) }
    ) throws(ConfigurationError) {
        // Help is printed whatever other errors there are.
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
        var slot: Timestamp?
        var minutes: Int?
        if name == .explain {
            slot = try Self.takeSlot(from: &flags)
            minutes = try Self.takeMinutes(from: &flags)
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
        case .explain:
            guard let slot else { throw .missingValue(flag: "explain") }
            self = .explain(try configuration(), slot, minutes: minutes)
        case .cluster:
            let balancer = try Self.takeBalancer(from: &flags)
            self = .cluster(try configuration(), balancer: balancer)
        case .help: self = .help
        case .version: self = .version
        }
    }

    private static func takeSlot(from flags: inout [String]) throws(ConfigurationError) -> Timestamp {
        guard let text = flags.first, !text.hasPrefix("-") else { throw .missingValue(flag: "explain") }
        guard let slot = Timestamp(text) else {
            throw .invalid(
                name: "SLOT", value: text, reason: "is not a time: use one like 2027-03-28T09:00:00Z")
        }
        flags.removeFirst()
        return slot
    }

    private static func takeMinutes(from flags: inout [String]) throws(ConfigurationError) -> Int? {
        let flag = "--for"
        guard let text = try flags.takeValue(of: flag) else { return nil }
        guard let minutes = Int(text), (1...SlotKey.mostMinutes).contains(minutes) else {
            throw .invalid(
                name: flag, value: text, reason: "is no length: use minutes, 1 to \(SlotKey.mostMinutes)")
        }
        return minutes
    }

    private static func takeBalancer(from flags: inout [String]) throws(ConfigurationError) -> WebURL? {
        let flag = "--balancer"
        guard let text = try flags.takeValue(of: flag) else { return nil }
        do throws(ValidationError) {
            return try WebURL(text)
        } catch {
            throw .invalid(name: flag, value: text, reason: "is no http or https URL of a balancer")
        }
    }

    /// The text that `--help` prints.
    package static var helpText: String {
        let rows = Setting.allCases.map { setting in
            let about = setting.description
            let name = padded("\(setting.flag) VALUE", to: 37) + padded(setting.name, to: 29)
            return "  \(name)\(about.meaning) [\(about.standard)]"
        }
        return """
            Usage: letsswitch-server [COMMAND] [flags]

              serve         runs the server (the default); SIGTERM drains it
              migrate       brings the database's schema up to date
              healthcheck   exit code 0 when the server at HOST:PORT is ready
              deliveries    lists what went to webhooks and devices; --failing: only what did not arrive;
                            --replay ID: makes one again that is over; N or msg_N
              explain SLOT  why each got whom in the slot that starts then; --for MINUTES: of that length
              cluster       who serves, and whether each server reaches each;
                            --balancer URL: where that balancer brings sockets

            Settings, as a flag or in the environment, with their defaults. Each may also come from a file:
            --port-file FILE or PORT_FILE=FILE.

            \(rows.joined(separator: "\n"))

              --help        this text
              --version     the version

            Examples:
              letsswitch-server --port 9000
              SLOT_SECONDS=60 LEAD_SECONDS=10 letsswitch-server
              letsswitch-server explain 2027-03-28T09:00:00Z
              DATABASE_URL_FILE=/run/secrets/database_url letsswitch-server migrate
            """
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
