import Reactor
import TestKit

/// The command `letsswitch`, as one person on one machine.
final class CommandLineUser: Sendable {
    private let url: String
    /// The folder of the configuration.
    private let folder: TemporaryFolder

    convenience init(_ server: ServerProcess) throws { self.init(at: server.url) }

    init(at url: String) {
        self.url = url
        folder = TemporaryFolder()
    }

    /// Runs a command to its end.
    func run(_ arguments: String..., input: String = "") async throws -> Finished {
        try await run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String = "") async throws -> Finished {
        try await Finished.run(
            try BuiltProgram.client.path(), arguments, environment: environment, input: input)
    }

    /// Starts a command that keeps running.
    func start(_ arguments: String..., input: String = "") throws -> ChildProcess {
        var command = ChildProcess.Command(try BuiltProgram.client.path(), arguments)
        command.environment = BuiltProgram.environment(environment)
        command.input = input
        command.timeLimit = .seconds(300)
        return try ChildProcess(command)
    }

    private var environment: [String: String] {
        ["LETSSWITCH_URL": url, "XDG_CONFIG_HOME": folder.path, "HOME": folder.path]
    }
}
