import Reactor

/// The result of a program that was run to its end.
struct Finished: Sendable, CustomStringConvertible {
    let ending: ChildProcess.Ending
    let output: String
    let errors: String

    /// The exit status; the negative number of the signal that ended it otherwise.
    var status: CInt {
        switch ending {
        case .exited(let status): status
        case .signalled(let signal): -signal
        }
    }

    /// The lines of standard error.
    var errorLines: [Substring] { errors.split(separator: "\n") }

    var description: String { "\(ending)\n\(output)\n\(errors)" }

    /// Runs a program to its end, which a time limit enforces.
    static func run(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Finished {
        var command = ChildProcess.Command(executable, arguments)
        command.environment = BuiltProgram.environment(environment)
        command.input = input
        command.timeLimit = .seconds(300)
        let child = try await ChildProcess.run(command)
        return Finished(
            ending: await child.ending(), output: child.output(), errors: child.output(.standardError))
    }
}
