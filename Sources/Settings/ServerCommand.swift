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
    /// Makes, lists and ends codes for sign-ups.
    case signUpCodes(ServerConfiguration, SignUpCodeRequest)
    /// Verifies the audit log, or cuts its beginning off.
    case audit(ServerConfiguration, AuditRequest)
    /// Prints the help of that command; nil for the help of the program.
    case help(Name?)
    case version

    /// Reads the arguments that follow the program's name: a command, by default `serve`, and flags.
    package init(
        arguments: [String], environment: [String: String],
        readFile: (String) throws -> String = { try SmallFile.read($0) }
    ) throws(ConfigurationError) {
        // Help is printed whatever other errors there are.
        if arguments.contains("--help") || arguments.contains("-h") {
            self = .help(arguments.first.flatMap { Name(rawValue: $0) })
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
        case .serve: self = .serve(try configuration().checkedForServing())
        case .migrate: self = .migrate(try configuration())
        case .healthcheck: self = .healthcheck(try configuration())
        case .deliveries:
            let request = try DeliveriesRequest(takingFrom: &flags)
            self = .deliveries(try configuration(), request)
        case .explain:
            let slot = try Self.takeSlot(from: &flags)
            let minutes = try Self.takeMinutes(from: &flags)
            self = .explain(try configuration(), slot, minutes: minutes)
        case .cluster:
            let balancer = try Self.takeBalancer(from: &flags)
            self = .cluster(try configuration(), balancer: balancer)
        case .backup:
            let file = try Self.takeFile(from: &flags, of: name)
            self = .backup(try configuration(), file: file)
        case .restore:
            let file = try Self.takeFile(from: &flags, of: name)
            let isSilent = flags.takeFlag("--without-deliveries")
            // The default would be a new database in the current folder.
            let values = try SettingValues(arguments: flags, environment: environment, readFile: readFile)
            guard values[.databaseURL] != nil || values[.dataDirectory] != nil else { throw .missingTarget }
            self = .restore(try configuration(), file: file, withoutDeliveries: isSilent)
        case .renumber: self = .renumber(try configuration())
        case .verify: self = .verify(try configuration())
        case .operators:
            let request = try OperatorRequest(takingFrom: &flags)
            self = .operators(try configuration(), request)
        case .signUpCodes:
            let request = try SignUpCodeRequest(takingFrom: &flags)
            self = .signUpCodes(try configuration(), request)
        case .audit:
            let request = try AuditRequest(takingFrom: &flags)
            self = .audit(try configuration(), request)
        case .help: self = .help(flags.first.flatMap { Name(rawValue: $0) })
        case .version: self = .version
        }
    }

    private static func takeFile(
        from flags: inout [String], of name: Name
    ) throws(ConfigurationError) -> String {
        guard let text = flags.takeWord(), !text.isEmpty else { throw name.missingArgument }
        return text
    }

    private static func takeSlot(from flags: inout [String]) throws(ConfigurationError) -> Timestamp {
        guard let text = flags.takeWord() else { throw Name.explain.missingArgument }
        return try Timestamp(argument: text, of: "SLOT")
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
}
