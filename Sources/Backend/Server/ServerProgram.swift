import CLinux
import Contract
import Glibc
import HTTPServer
import Logging
import Reactor
import Settings

/// The program `letsswitch-server`.
package enum ServerProgram {
    /// Runs the program in this process, and ends it after the log has been written, or after a second. No
    /// second thread may exist yet.
    package static func main() -> Never {
        let arguments = Array(CommandLine.arguments.dropFirst())
        prepareProcess(arguments)
        let environment = ProcessEnvironment.current()
        let code = MainThread.run { await perform(arguments, environment) }
        Log.flush(within: .seconds(1))
        exit(code)
    }

    private static func perform(_ arguments: [String], _ environment: [String: String]) async -> CInt {
        let command: ServerCommand
        do {
            command = try ServerCommand(arguments: arguments, environment: environment)
        } catch {
            complain("\(error)")
            return ConfigurationError.exitCode
        }
        do {
            return try await run(command) ? 0 : 1
        } catch let error as StandardStreams.OutputError {
            if error.isBrokenPipe { StandardStreams.endByBrokenPipe() }
            complain("\(error)")
            return 1
        } catch {
            complain("\(error)")
            return 1
        }
    }

    /// Runs a command, and returns false if it finds a fault.
    private static func run(_ command: ServerCommand) async throws -> Bool {
        switch command {
        case .help(let name): try StandardStreams.line(name?.helpText ?? ServerCommand.helpText)
        case .version: try StandardStreams.line("letsswitch-server \(Version.build)")
        case .serve(let configuration):
            prepare(configuration)
            try await ServeCommand(configuration: configuration).run()
        case .migrate(let configuration):
            prepare(configuration)
            try await migrate(configuration)
        case .healthcheck(let configuration): return try await check(configuration)
        case .deliveries(let configuration, let request):
            prepare(configuration)
            let command = DeliveriesCommand(configuration: configuration, request: request)
            for line in try await command.run() { try StandardStreams.line(line) }
        case .explain(let configuration, let slot, let minutes):
            prepare(configuration, level: .warning)
            return try await ExplainCommand(configuration: configuration, startsAt: slot, minutes: minutes)
                .run()
        case .cluster(let configuration, let balancer):
            prepare(configuration, level: .warning)
            return try await ClusterCommand(configuration: configuration, balancer: balancer).run()
        case .backup(let configuration, let file):
            prepare(configuration, level: .warning)
            let command = BackupCommand(configuration: configuration, path: file)
            try await Interruption.heeding { try await command.run() }
        case .restore(let configuration, let file, let withoutDeliveries):
            prepare(configuration, level: .warning)
            let command = RestoreCommand(
                configuration: configuration, path: file, withoutDeliveries: withoutDeliveries)
            try await Interruption.heeding { try await command.run() }
        case .renumber(let configuration):
            prepare(configuration, level: .warning)
            try await RenumberCommand(configuration: configuration).run()
        case .verify(let configuration):
            prepare(configuration, level: .warning)
            return try await VerifyCommand(configuration: configuration).run()
        case .operators(let configuration, let request):
            prepare(configuration)
            let lines = try await OperatorCommand(configuration: configuration, request: request).run()
            try print(
                lines,
                orComplain: request.secretOwner.map {
                    "The secret of \($0) was not shown. Make another one: operator reset"
                })
        case .signUpCodes(let configuration, let request):
            prepare(configuration)
            let lines = try await SignUpCodeCommand(configuration: configuration, request: request).run()
            try print(lines, orComplain: request.makesCode ? "The code was not shown: end it." : nil)
        case .audit(let configuration, let request):
            prepare(configuration)
            let command = AuditCommand(configuration: configuration, request: request)
            let (lines, isWhole) = try await command.run()
            for line in lines { try StandardStreams.line(line) }
            return isWhole
        }
        return true
    }

    /// Prints the lines of a command. A secret is shown only once, so a failure comes with a complaint.
    private static func print(
        _ lines: [String], orComplain complaint: String?
    ) throws(StandardStreams.OutputError) {
        do throws(StandardStreams.OutputError) {
            for line in lines { try StandardStreams.line(line) }
        } catch {
            if let complaint { complain(complaint) }
            throw error
        }
    }

    /// Prepares signals and limits, before there is a second thread. A server, a backup and a restore handle
    /// signals; they end other commands at once.
    private static func prepareProcess(_ arguments: [String]) {
        let commands = [
            "migrate", "healthcheck", "deliveries", "explain", "cluster", "renumber", "verify", "operator",
            "signup-code", "audit",
        ]
        if !commands.contains(arguments.first ?? "") {
            SignalWatcher.block([SIGTERM, SIGINT])
        }
        StandardStreams.prepare()
        DescriptorPlan.raiseLimit()
    }

    private static func prepare(_ configuration: ServerConfiguration, level: Log.Level? = nil) {
        Log.configure(level: level ?? configuration.logLevel, format: configuration.logFormat)
    }

    private static func migrate(_ configuration: ServerConfiguration) async throws {
        let group = try EventLoopGroup(count: 1, name: "migrate")
        defer { group.shutdown() }
        let database = try await OpenedDatabase.open(configuration, on: group.loops[0])
        await database.close()
        Log.info("the database is up to date")
    }

    private static func check(_ configuration: ServerConfiguration) async throws -> Bool {
        let group = try EventLoopGroup(count: 1, name: "healthcheck")
        defer { group.shutdown() }
        // A server that listens on all addresses also listens on the loopback addresses, as far as the system
        // has them.
        let hosts = ["0.0.0.0": ["127.0.0.1"], "::": ["::1", "127.0.0.1"]][configuration.host]
        var complaints: [String] = []
        for host in hosts ?? [configuration.host] {
            let address = try await StartFailure.address(
                host: host, port: configuration.port, on: group.loops[0])
            do {
                let answer = try await StartFailure.get("/readyz", at: address, on: group.loops[0])
                if answer.status == 200 {
                    try StandardStreams.line("ready")
                    return true
                }
                let body = String(decoding: answer.body, as: UTF8.self)
                complain("The server at \(address) is not ready: \(body)")
                return false
            } catch {
                complaints.append("No server answers at \(address): \(error).")
            }
        }
        complain(complaints.joined(separator: " "))
        return false
    }

    /// Writes one line to standard error.
    private static func complain(_ text: String) { Log.plain("letsswitch-server: \(text)") }
}
