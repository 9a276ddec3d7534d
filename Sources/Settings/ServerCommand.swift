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
    /// Writes all of the database into that file.
    case backup(ServerConfiguration, file: String)
    /// Brings the backup in that file into an empty database, and disables its endpoints if nothing is to
    /// be delivered.
    case restore(ServerConfiguration, file: String, withoutDeliveries: Bool = false)
    /// Lets ids go on beyond all those that were given out before the database was brought back.
    case renumber(ServerConfiguration)
    /// Checks the promises that rows can show.
    case verify(ServerConfiguration)
    /// Makes, lists, disables and resets operators.
    case operators(ServerConfiguration, OperatorRequest)
    /// Verifies the audit log, or cuts its beginning off.
    case audit(ServerConfiguration, AuditRequest)
    case help
    case version

    private enum Name: String, CaseIterable {
        case serve, migrate, healthcheck, deliveries, explain, cluster, backup, restore, renumber, verify,
            audit, help, version
        case operators = "operator"
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
        case .backup:
            let file = try Self.takeFile(from: &flags, of: name)
            self = .backup(try configuration(), file: file)
        case .restore:
            let file = try Self.takeFile(from: &flags, of: name)
            let silence = flags.firstIndex(of: "--without-deliveries")
            if let silence { flags.remove(at: silence) }
            // The default would be a new database in the current folder.
            let values = try SettingValues(arguments: flags, environment: environment, readFile: readFile)
            guard values[.databaseURL] != nil || values[.dataDirectory] != nil else { throw .missingTarget }
            self = .restore(try configuration(), file: file, withoutDeliveries: silence != nil)
        case .renumber: self = .renumber(try configuration())
        case .verify: self = .verify(try configuration())
        case .operators:
            let request = try OperatorRequest(takingFrom: &flags)
            self = .operators(try configuration(), request)
        case .audit:
            let request = try AuditRequest(takingFrom: &flags)
            self = .audit(try configuration(), request)
        case .help: self = .help
        case .version: self = .version
        }
    }

    private static func takeFile(
        from flags: inout [String], of name: Name
    ) throws(ConfigurationError) -> String {
        guard let text = flags.first, !text.hasPrefix("-"), !text.isEmpty else {
            throw .missingValue(flag: name.rawValue)
        }
        flags.removeFirst()
        return text
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
            let name = padded("\(setting.flag) VALUE", to: 37) + padded(setting.name, to: 29)
            return "  \(name)\(setting.meaning) [\(setting.standard)]"
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
              backup FILE   writes all of the database into the new file FILE
              restore FILE  brings that backup into an empty database, as a whole or not at all: that of
                            DATABASE_URL, or a private one in DATA_DIR; --without-deliveries: for a copy,
                            which sends nothing to anybody
              verify        checks the promises that rows can show; exit code 1 if one is broken
              renumber      after a restore by other means: ids go on beyond those that were given out

              operator      add NAME --role viewer, support or admin; list; disable NAME; reset NAME.
                            --password-file FILE: the password, which is else asked for;
                            --code: with one-time codes, whose secret is printed once
              audit verify  computes the chain of the audit log again; --head H: fails unless it contains
                            that head; audit cut --before TIME: cuts off what is older

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
              letsswitch-server backup "/backups/letsswitch-$(date +%F).dump"
            """
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
