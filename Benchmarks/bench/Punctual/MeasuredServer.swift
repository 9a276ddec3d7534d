import Contract
import Glibc
import Reactor

/// A server under measurement, as a process of its own, whose log is a file. `script/bench` lifts its
/// limits by the environment.
struct MeasuredServer: Sendable {
    private static let patience = Duration.seconds(60)

    /// The settings that a measurement chooses, beside the length of the slots and the lead.
    struct Settings {
        /// The port; nil for any free one.
        var port: UInt16?
        var lateSeconds = 0
        var arguments: [String] = []
        var environment: [String: String] = [:]
        /// The one core that the server has; nil for all.
        var core: Int?

        /// The settings for webhooks at loopback.
        static let webhooks = Settings(
            arguments: ["--allow-private-webhooks", "true", "--webhooks-per-second", "0"])
    }

    let port: UInt16
    let process: ChildProcess
    private let log: String

    /// Starts a server, and waits until it is ready.
    static func start(
        on testbed: Testbed, _ database: BenchDatabase, _ slots: MeasuredSlots,
        _ settings: Settings = Settings(),
        name: String = "server"
    ) async throws -> MeasuredServer {
        let port = try settings.port ?? Loopback.freePort()
        var command = ChildProcess.Command(
            testbed.server,
            [
                "--port", "\(port)", "--slot-seconds", "\(slots.length)", "--lead-seconds", "\(slots.lead)",
                "--late-seconds", "\(settings.lateSeconds)", "--log-format", "json", "--log-level", "info",
            ] + settings.arguments)
        if let core = settings.core {
            command.arguments = ["-c", "\(core)", command.executable] + command.arguments
            command.executable = "taskset"
        }
        for name in ["DATABASE_URL_FILE", "PGOPTIONS"] { command.environment[name] = nil }
        command.environment["DATABASE_URL"] = database.url
        command.environment.merge(settings.environment) { $1 }
        let log = "\(name)-\(database.name)"
        let process = try testbed.start(command, log: log)
        _ = try await Readiness.wait(for: process, port: port, patience: patience)
        return MeasuredServer(port: port, process: process, log: "\(testbed.folder)/\(log).log")
    }

    /// Sends the signal, and waits for the end.
    func stop(_ signal: CInt = SIGTERM) async {
        process.signal(signal)
        _ = await process.ending()
    }

    /// The most memory that the process had, in megabytes.
    var peakMegabytes: Int {
        get throws {
            let status = try TextFile.read("/proc/\(process.processID)/status")
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return line.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first.map { $0 / 1000 } ?? 0
        }
    }

    /// Returns the instant at which the server has logged that the slot is matched; nil while it has not.
    func matched(_ slot: Int) throws -> Timestamp? {
        Self.matched(Timestamp(seconds: Int64(slot)), log: try TextFile.read(log))
    }

    static func matched(_ slot: Timestamp, log: String) -> Timestamp? {
        struct Line: Decodable {
            let message: String
            let slot: Timestamp
            let time: Timestamp
        }
        return log.split(separator: "\n").lazy.filter { $0.contains("\"matched\"") }
            .compactMap { try? JSON.decode(Line.self, from: Array($0.utf8)) }
            .first { $0.message == "matched" && $0.slot == slot }?.time
    }

    /// Returns the milliseconds from an instant to the commit of the slot's match: the later of the server's
    /// log line and PostgreSQL's record. The record of a commit has the time before its flush, and the log
    /// line the time after it.
    func committed(_ slot: Int, since due: Int, in database: BenchDatabase) async throws -> Double {
        let logged = Double(try matched(slot)?.microseconds ?? 0) / 1e6
        return (max(logged, try await database.committed(slot) ?? 0) - Double(due)) * 1_000
    }
}
