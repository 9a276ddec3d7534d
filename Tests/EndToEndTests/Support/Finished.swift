import Reactor

/// A program that was run to its end.
struct Finished: Sendable, CustomStringConvertible {
    let ending: ChildProcess.Ending
    let output: String
    let errors: String

    /// The exit status; negative: the signal that ended it.
    var status: CInt {
        switch ending {
        case .exited(let status): status
        case .signalled(let signal): -signal
        }
    }

    /// What it said on standard error.
    var errorLines: [Substring] { errors.split(separator: "\n") }

    var description: String { "\(ending)\n\(output)\n\(errors)" }

    /// Runs a program to its end, which comes at the latest when its time is over.
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
